import { useStrings } from "@vitrail/react";
import { useIsOffline } from "./workspace-context.tsx";

/** Returns why nothing can be changed now, or none. */
export function useWhyReadOnly(): string | null {
  const strings = useStrings();
  return useIsOffline() ? strings.state.readOnly : null;
}
