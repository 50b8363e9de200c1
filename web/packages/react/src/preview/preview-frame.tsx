import type { LinkMessage } from "@vitrail/bridge/messages";
import type { PreviewInfo } from "@vitrail/protocol";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { DocumentFrame, type DocumentFrameEvents } from "./document-frame.tsx";
import { useReach } from "./reach.ts";
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

/**
 * Shows previews in a sandboxed frame. It fills its positioned parent.
 *
 * A new document loads behind the one that is shown and takes its place once it can
 * be seen, so a change of the file does not flash.
 */
export function PreviewFrame(props: PreviewFrameProps) {
  const { preview, title, keep } = props;
  const latest = useRef(props);
  const [shown, setShown] = useState<PreviewInfo | null>(null);
  const isReachable = useReach(preview?.url ?? null);
  const usesFallback = isReachable === false;

  useEffect(() => {
    latest.current = props;
  });

  const say = useCallback((state: PreviewState) => latest.current.onState?.(state), []);
  useEffect(() => {
    setShown((before) => (preview === null ? null : before));
    say(preview === null ? { kind: "empty" } : { kind: "loading" });
  }, [preview, say]);

  useKeepAlive(preview, keep, (expired) => {
    if (expired === latest.current.preview) {
      say({ kind: "expired" });
    }
  });

  const events = useMemo<Omit<DocumentFrameEvents, "onEntry" | "onLink">>(() => {
    const isCurrent = (one: PreviewInfo): boolean => one === latest.current.preview;
    let ready: PreviewState = { kind: "loading" };
    return {
      onShown: (one, pageTitle) => {
        if (isCurrent(one)) {
          setShown(one);
          ready = { kind: "ready", title: pageTitle, usesFallback };
          say(ready);
        }
      },
      onBusy: (one, isBusy) => {
        if (isCurrent(one)) {
          say(isBusy ? { kind: "busy" } : ready);
        }
      },
      onLost: (one, had) => {
        if (!isCurrent(one)) {
          return;
        }
        setShown(one);
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
  }, [say, usesFallback]);

  const frames: PreviewInfo[] = [];
  if (shown !== null) {
    frames.push(shown);
  }
  if (preview !== null && preview !== shown && isReachable !== null) {
    frames.push(preview);
  }
  return (
    <div className="relative size-full overflow-hidden">
      {frames.map((one) => (
        <DocumentFrame
          key={one.capability}
          preview={one}
          address={usesFallback ? one.fallbackUrl : one.url}
          title={title}
          isVisible={one === shown}
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
