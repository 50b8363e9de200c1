import { useStrings } from "@vitrail/react";
import { type ReactElement, useEffect } from "react";
import { AppHeader } from "../app-header.tsx";
import { Examples } from "./examples.tsx";
import { ModelStrip } from "./model-strip.tsx";
import { Projects } from "./projects.tsx";

/** Where everything begins: the projects, who answers, and what can be played. */
export function HomePage(): ReactElement {
  const strings = useStrings();
  useEffect(() => {
    document.title = strings.product;
  }, [strings]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AppHeader />
      <main className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-260 flex-col gap-8 px-4 py-8">
          <Projects />
          <ModelStrip />
          <Examples />
        </div>
      </main>
    </div>
  );
}
