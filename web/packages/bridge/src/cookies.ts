import { defineProperty, now } from "./natives.ts";

/** What browsers keep for one site: cookies, and UTF-16 units of one of them. */
export const MAX_COOKIES = 180;
export const MAX_COOKIE_CHARS = 4_096;

interface Cookie {
  readonly value: string;
  /** Milliseconds of the epoch; infinite for one of the session. */
  readonly expiresAt: number;
}

function expiryOf(attributes: readonly string[]): number {
  let expiresAt = Number.POSITIVE_INFINITY;
  let hasMaxAge = false;
  for (const attribute of attributes) {
    const [name = "", ...rest] = attribute.split("=");
    const value = rest.join("=").trim();
    const key = name.trim().toLowerCase();
    if (key === "max-age" && /^-?\d+$/.test(value)) {
      hasMaxAge = true;
      const seconds = Number(value);
      expiresAt = seconds <= 0 ? Number.NEGATIVE_INFINITY : now() + seconds * 1_000;
    } else if (key === "expires" && !hasMaxAge) {
      const time = Date.parse(value);
      expiresAt = Number.isNaN(time) ? expiresAt : time;
    }
  }
  return expiresAt;
}

/** Cookies of one document, kept in memory; paths and domains mean nothing here. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** What `document.cookie` reads. */
  read(): string {
    const time = now();
    const shown: string[] = [];
    for (const [name, cookie] of this.#cookies) {
      if (cookie.expiresAt <= time) {
        this.#cookies.delete(name);
      } else {
        shown.push(name === "" ? cookie.value : `${name}=${cookie.value}`);
      }
    }
    return shown.join("; ");
  }

  /** What an assignment to `document.cookie` does. */
  write(text: string): void {
    const [pair = "", ...attributes] = text.split(";");
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const value = pair.slice(at + 1).trim();
    const isRefused =
      (name === "" && value === "") ||
      name.length + value.length > MAX_COOKIE_CHARS ||
      attributes.some((attribute) => attribute.trim().toLowerCase() === "httponly");
    if (isRefused) {
      return;
    }
    const expiresAt = expiryOf(attributes);
    if (expiresAt <= now()) {
      this.#cookies.delete(name);
      return;
    }
    if (this.#cookies.size >= MAX_COOKIES && !this.#cookies.has(name)) {
      const oldest = this.#cookies.keys().next();
      if (!oldest.done) {
        this.#cookies.delete(oldest.value);
      }
    }
    this.#cookies.set(name, { value, expiresAt });
  }
}

/** Give the document cookies that are kept in memory: an opaque page has none. */
export function installCookies(view: Window & typeof globalThis): void {
  const jar = new CookieJar();
  defineProperty(view.Document.prototype, "cookie", {
    get: () => jar.read(),
    set: (text: unknown) => jar.write(`${text}`),
    enumerable: true,
    configurable: true,
  });
}
