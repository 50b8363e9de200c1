import type { LinkMessage } from "@vitrail/bridge/messages";
import type { PreviewInfo } from "@vitrail/protocol";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { DocumentFrame, type DocumentFrameEvents } from "./document-frame.tsx";
import { type Address, useAddress } from "./reach.ts";
import type { PreviewEntry, PreviewState } from "./types.ts";
import { useKeepAlive } from "./use-keep-alive.ts";

export interface PreviewFrameProps {
  /** What to show; another object is another document, and null is none. */
  readonly preview: PreviewInfo | null;
  /** Name of the frame for assistive technology. */
  readonly title: string;
  /** Prolong a capability; false where it is closed for good. */
  readonly keep: (capability: string) => Promise<boolean>;
  readonly onState?: (state: PreviewState) => void;
  /** A line for the console drawer, in the order things happened. */
  readonly onConsole?: (entry: PreviewEntry, preview: PreviewInfo) => void;
  /** A link was followed: a page of the project to make active, or an address outside. */
  readonly onLink?: (link: LinkMessage, preview: PreviewInfo) => void;
  readonly onSize?: (width: number, height: number) => void;
}

interface Placed {
  readonly preview: PreviewInfo;
  readonly address: Address;
}

/**
 * Shows previews in a sandboxed frame. It fills its positioned parent.
 *
 * A new document loads behind the one that is shown and takes its place once it can
 * be seen, so a change of the file does not flash.
 */
export function PreviewFrame(props: PreviewFrameProps) {
  const { preview, title, keep } = props;
  const latest = useRef(props);
  const [shown, setShown] = useState<Placed | null>(null);
  const isBusy = useRef(false);
  const address = useAddress(preview);

  useEffect(() => {
    latest.current = props;
  });

  const say = useCallback((state: PreviewState) => latest.current.onState?.(state), []);
  useEffect(() => {
    const isStuck = isBusy.current;
    isBusy.current = false;
    // a page that loops goes at once: where it has no process of its own, what
    // comes after it could not even begin
    setShown((before) => (preview === null || isStuck ? null : before));
    say(preview === null ? { kind: "empty" } : { kind: "loading" });
  }, [preview, say]);

  useKeepAlive(preview, keep, (expired) => {
    if (expired === latest.current.preview) {
      say({ kind: "expired" });
    }
  });

  const placed = useMemo<Placed | null>(
    () => (preview === null || address === null ? null : { preview, address }),
    [preview, address],
  );
  const next = useRef(placed);
  useEffect(() => {
    next.current = placed;
  });
  const events = useMemo<Omit<DocumentFrameEvents, "onEntry" | "onLink">>(() => {
    let ready: PreviewState = { kind: "loading" };
    /** What was chosen for a preview, if it is still the one to show. */
    const current = (one: PreviewInfo): Placed | null =>
      next.current?.preview === one && latest.current.preview === one
        ? next.current
        : null;
    return {
      onShown: (one, pageTitle) => {
        const place = current(one);
        if (place !== null) {
          setShown(place);
          const usesFallback = place.address.isFallback;
          ready = { kind: "ready", title: pageTitle, usesFallback };
          say(ready);
        }
      },
      onBusy: (one, isBusyNow) => {
        if (current(one) !== null && isBusy.current !== isBusyNow) {
          isBusy.current = isBusyNow;
          say(isBusyNow ? { kind: "busy" } : ready);
        }
      },
      onLost: (one, had) => {
        const place = current(one);
        if (place === null) {
          return;
        }
        setShown(place);
        if (had === "document") {
          say({ kind: "left" });
          return;
        }
        void latest.current
          .keep(one.capability)
          .catch(() => true)
          .then((isOpen) => say({ kind: isOpen ? "unreachable" : "expired" }));
      },
      onSize: (width, height) => latest.current.onSize?.(width, height),
    };
  }, [say]);

  const frames = [shown, placed].filter((one) => one !== null);
  return (
    <div className="relative size-full overflow-hidden">
      {frames
        .filter((one, index) => index === 0 || one.preview !== frames[0]?.preview)
        .map(({ preview: one, address: { url } }) => (
          <DocumentFrame
            key={one.capability}
            preview={one}
            address={url}
            title={title}
            isVisible={one === shown?.preview}
            events={{
              ...events,
              onEntry: (entry) => latest.current.onConsole?.(entry, one),
              onLink: (link) => latest.current.onLink?.(link, one),
            }}
          />
        ))}
    </div>
  );
}
