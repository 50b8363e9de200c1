import { useEffect, useState } from "react";

const PROBE_MS = 3_000;
const known = new Map<string, Promise<boolean>>();

function probe(origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image();
    const timer = setTimeout(() => resolve(false), PROBE_MS);
    const answer = (isReachable: boolean): void => {
      clearTimeout(timer);
      resolve(isReachable);
    };
    image.referrerPolicy = "no-referrer";
    image.onload = () => answer(true);
    image.onerror = () => answer(false);
    image.src = `${origin}/probe.gif`;
  });
}

/** Find out, once for each origin, whether this browser reaches the preview site. */
export function canReachPreview(origin: string): Promise<boolean> {
  const asked = known.get(origin);
  if (asked !== undefined) {
    return asked;
  }
  const answer = probe(origin).then((isReachable) => {
    if (!isReachable) {
      known.delete(origin); // a network comes back; a site that answered stays
    }
    return isReachable;
  });
  known.set(origin, answer);
  return answer;
}

/** Whether the preview site of `url` is reached; null until that is known. */
export function useReach(url: string | null): boolean | null {
  const origin = url === null ? null : new URL(url, window.location.href).origin;
  const [found, setFound] = useState<{ origin: string; is: boolean } | null>(null);
  useEffect(() => {
    if (origin === null) {
      return;
    }
    let isCurrent = true;
    void canReachPreview(origin).then((is) => {
      if (isCurrent) {
        setFound({ origin, is });
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [origin]);
  return found !== null && found.origin === origin ? found.is : null;
}
