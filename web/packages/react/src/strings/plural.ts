/** Numbers and plurals of the English catalogue, by the rules of the language. */

const NUMBERS = new Intl.NumberFormat("en");
const RULES = new Intl.PluralRules("en");

/** Returns the number as people write it: `12,408`. */
export function formatNumber(value: number): string {
  return NUMBERS.format(value);
}

/** Returns the count with the form of the noun that goes with it: `1 line`, `2 lines`. */
export function count(value: number, one: string, other: string): string {
  const noun = RULES.select(value) === "one" ? one : other;
  return `${formatNumber(value)} ${noun}`;
}

const UNITS = ["B", "kB", "MB", "GB"] as const;

/** Returns a size in bytes as people read it: `812 B`, `4.2 kB`. Steps of 1000. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  const shown = value.toLocaleString("en", { maximumFractionDigits: digits });
  return `${shown} ${UNITS[unit]}`;
}

/** Returns seconds as people say them: `8 s`, `1 min 5 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const rest = whole % 60;
  return rest === 0
    ? `${Math.floor(whole / 60)} min`
    : `${Math.floor(whole / 60)} min ${rest} s`;
}

const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const DAY_AND_YEAR = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const HOUR = new Intl.DateTimeFormat("en", { hour: "numeric", minute: "2-digit" });

/** Returns the time as its reader would say it at `now`: `14:05`, `3 Mar`, `3 Mar 2025`. */
export function formatTime(iso: string, now: Date): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  if (time.toDateString() === now.toDateString()) return HOUR.format(time);
  return time.getFullYear() === now.getFullYear()
    ? DAY.format(time)
    : DAY_AND_YEAR.format(time);
}

const AGO: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const MAX_AGO_S = 7 * 86_400;

/** Returns how long ago a time is at `now`: `3 minutes ago`; the day, after a week. */
export function formatAgo(iso: string, now: Date): string {
  const past = (now.getTime() - new Date(iso).getTime()) / 1000;
  if (Number.isNaN(past)) return iso;
  if (past >= MAX_AGO_S) return formatTime(iso, now);
  const [size, unit] = AGO.find(([least]) => past >= least) ?? [0, "second"];
  return size === 0 ? "just now" : RELATIVE.format(-Math.floor(past / size), unit);
}

/** Returns a time in full, for those who want it exactly: `30 Nov 2026, 14:05:09`. */
export function formatMoment(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : MOMENT.format(time);
}

const MOMENT = new Intl.DateTimeFormat("en", {
  dateStyle: "medium",
  timeStyle: "medium",
});
