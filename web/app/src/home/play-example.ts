import type { Example } from "@vitrail/protocol";
import { navigate, projectRoute } from "../routes.ts";
import { useWiring } from "../workspace-context.tsx";

/** Returns the act that makes a project of a recording and plays it there. */
export function usePlayExample(): (example: Example, speed: number) => Promise<void> {
  const { workspace } = useWiring();
  return async (example, speed) => {
    const project = await workspace.createProject(example.title);
    const conversation = await workspace.createConversation(project.id);
    await workspace.send(conversation.id, {
      text: example.prompt,
      agent: "replay",
      recording: example.name,
      speed,
    });
    navigate(projectRoute(project.name, conversation.id));
  };
}
