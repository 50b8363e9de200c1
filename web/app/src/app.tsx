import type { ReactElement } from "react";

/** The workspace. */
export function App(): ReactElement {
  return <main>Vitrail</main>;
}
