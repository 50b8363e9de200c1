import type { FrameMessage, LinkMessage } from "@vitrail/bridge/messages";
import type { PreviewInfo } from "@vitrail/protocol";
import { useEffect, useLayoutEffect, useRef } from "react";
import { PreviewPort } from "./port.ts";
import { Pulse } from "./pulse.ts";
import type { PreviewEntry } from "./types.ts";

/**
 * What a preview's frame may do; never `allow-same-origin`, which together with
 * scripts is no sandbox. The response's own policy says the same.
 */
export const PREVIEW_SANDBOX = "allow-scripts allow-downloads allow-forms";

/** How long after a document's hello it is shown, ready or not. */
const SHOW_AFTER_HELLO_MS = 400;
/** How long a document may say nothing at all before it counts as busy. */
const HELLO_WITHIN_MS = 5_000;

export interface DocumentFrameEvents {
  /** The document can be shown: it is parsed, or has had its time. */
  readonly onShown: (preview: PreviewInfo, title: string) => void;
  readonly onBusy: (preview: PreviewInfo, isBusy: boolean) => void;
  /** The frame holds something that is not the document. */
  readonly onLost: (preview: PreviewInfo, had: "document" | "nothing") => void;
  readonly onEntry: (entry: PreviewEntry) => void;
  readonly onLink: (link: LinkMessage) => void;
  readonly onSize: (width: number, height: number) => void;
}

export interface DocumentFrameProps {
  readonly preview: PreviewInfo;
  readonly address: string;
  readonly title: string;
  readonly isVisible: boolean;
  readonly events: DocumentFrameEvents;
}

/** One document in one frame, from its load to its end; it is never loaded again. */
export function DocumentFrame(props: DocumentFrameProps) {
  const { preview, address, title, isVisible, events } = props;
  const element = useRef<HTMLIFrameElement>(null);
  const latest = useRef(events);
  const port = useRef<PreviewPort | null>(null);
  const loads = useRef(0);

  useEffect(() => {
    latest.current = events;
  });

  useLayoutEffect(() => {
    loads.current = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onMessage = (message: FrameMessage): void => {
      switch (message.type) {
        case "ready":
          clearTimeout(timer);
          latest.current.onShown(preview, message.title);
          break;
        case "pong":
          pulse.answered(message.id);
          break;
        case "link":
          latest.current.onLink(message);
          break;
        case "size":
          latest.current.onSize(message.width, message.height);
          break;
        default:
          latest.current.onEntry(message);
      }
    };
    const line = new PreviewPort(
      () => element.current?.contentWindow ?? null,
      preview.generation,
      {
        onHello: () => {
          clearTimeout(silence);
          latest.current.onBusy(preview, false);
          timer = setTimeout(
            () => latest.current.onShown(preview, ""),
            SHOW_AFTER_HELLO_MS,
          );
        },
        onMessage,
        onRefused: (counts) => latest.current.onEntry({ type: "refused", ...counts }),
      },
    );
    const pulse = new Pulse(line, (isBusy) => latest.current.onBusy(preview, isBusy));
    port.current = line;
    // a script that loops while the page is parsed lets not even the hello out
    const silence = setTimeout(() => {
      if (!line.isConnected && loads.current === 0) {
        latest.current.onBusy(preview, true);
      }
    }, HELLO_WITHIN_MS);
    return () => {
      clearTimeout(timer);
      clearTimeout(silence);
      pulse.stop();
      line.close();
      port.current = null;
    };
  }, [preview]);

  const onLoad = (): void => {
    loads.current += 1;
    const isConnected = port.current?.isConnected === true;
    if (loads.current > 1) {
      latest.current.onLost(preview, "document");
    } else if (preview.mode === "source") {
      latest.current.onShown(preview, preview.path); // a page without a script says nothing
    } else if (!isConnected) {
      latest.current.onLost(preview, "nothing");
    }
  };

  return (
    <iframe
      ref={element}
      className="absolute inset-0 size-full border-0 bg-paper"
      style={{ visibility: isVisible ? "visible" : "hidden" }}
      src={address}
      title={title}
      sandbox={PREVIEW_SANDBOX}
      referrerPolicy="no-referrer"
      allow=""
      onLoad={onLoad}
    />
  );
}
