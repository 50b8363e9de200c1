import type { PreviewInfo } from "@vitrail/protocol";
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

/** Names of previews of one site are reached alike. */
function familyOf(origin: string): string {
  return origin.replace(/\/\/[0-9a-f]{20}\./, "//*.");
}

/** Find out, once for each site, whether this browser reaches it. */
export function canReachPreview(origin: string): Promise<boolean> {
  const family = familyOf(origin);
  const asked = known.get(family);
  if (asked !== undefined) {
    return asked;
  }
  const answer = probe(origin).then((isReachable) => {
    if (!isReachable) {
      known.delete(family); // a network comes back; a site that answered stays
    }
    return isReachable;
  });
  known.set(family, answer);
  return answer;
}

/** Where a preview is shown. */
export interface Address {
  readonly url: string;
  /** Whether it comes from the app's own origin, for want of a better one. */
  readonly isFallback: boolean;
}

async function firstReached(preview: PreviewInfo): Promise<Address> {
  for (const url of [preview.ownHostUrl, preview.url]) {
    if (url !== null && (await canReachPreview(new URL(url).origin))) {
      return { url, isFallback: false };
    }
  }
  return { url: preview.fallbackUrl, isFallback: true };
}

/**
 * The first of a preview's addresses that this browser reaches; null until that is
 * known. The one that was chosen for a preview stays its address.
 */
export function useAddress(preview: PreviewInfo | null): Address | null {
  const [found, setFound] = useState<{
    readonly preview: PreviewInfo;
    readonly address: Address;
  } | null>(null);
  useEffect(() => {
    if (preview === null) {
      return;
    }
    let isCurrent = true;
    void firstReached(preview).then((address) => {
      if (isCurrent) {
        setFound({ preview, address });
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [preview]);
  return found !== null && found.preview === preview ? found.address : null;
}
