import type { PreviewInfo } from "@vitrail/protocol";
import { useEffect, useRef } from "react";

/** Of a preview's life, after which share it is prolonged. */
const KEEP_AT_SHARE = 0.25;
/** Longest wait between two prolongations: a laptop that slept is soon noticed. */
const MAX_WAIT_MS = 10 * 60 * 1_000;

/** Keep a preview's address alive while it is mounted; tell when it is closed for good. */
export function useKeepAlive(
  preview: PreviewInfo | null,
  keep: (capability: string) => Promise<boolean>,
  onExpired: (preview: PreviewInfo) => void,
): void {
  const latest = useRef({ keep, onExpired });
  useEffect(() => {
    latest.current = { keep, onExpired };
  });
  useEffect(() => {
    if (preview === null) {
      return;
    }
    let isMounted = true;
    const prolong = async (): Promise<void> => {
      try {
        const isOpen = await latest.current.keep(preview.capability);
        if (!isOpen && isMounted) {
          latest.current.onExpired(preview);
        }
      } catch {
        // offline: the next turn asks again
      }
    };
    const wait = Math.min(preview.expiresInS * 1_000 * KEEP_AT_SHARE, MAX_WAIT_MS);
    const timer = setInterval(() => void prolong(), Math.max(wait, 1_000));
    const onVisible = (): void => {
      if (document.visibilityState === "visible") {
        void prolong();
      }
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      isMounted = false;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [preview]);
}
