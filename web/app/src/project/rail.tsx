import { cx, IconButton, useStrings } from "@vitrail/react";
import { conversationsOf, type ProjectEntry, projectsByUse } from "@vitrail/stream";
import { House, MessageSquare, PanelLeftClose, Plus } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { AppActions } from "../app-header.tsx";
import { Link } from "../link.tsx";
import { NEW_CONVERSATION, navigate, projectRoute, type Route } from "../routes.ts";
import { useData } from "../workspace-context.tsx";

const MAX_PROJECTS = 50;

/** Where one can go: the conversations of this project, the other projects. */
export function Rail(props: {
  readonly project: ProjectEntry;
  readonly name: string;
  readonly conversationId: string | null;
  readonly onHide: () => void;
  /** Called when a place was chosen; the rail may step aside then. */
  readonly onGo: () => void;
}): ReactElement {
  const strings = useStrings();
  const projects = useData(projectsByUse);
  const conversations = useData((data) => conversationsOf(data, props.project.id));
  return (
    <>
      <div className="flex h-12 shrink-0 items-center justify-between ps-2 pe-2">
        <Link
          to={{ view: "home" }}
          className="flex min-h-8 items-center gap-2 rounded-control px-2 text-14 font-semibold hover:bg-hover pointer-coarse:min-h-11"
        >
          {strings.product}
        </Link>
        <IconButton
          label={strings.rail.hide}
          icon={<PanelLeftClose size={16} aria-hidden className="rtl:-scale-x-100" />}
          onClick={props.onHide}
        />
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-2 pb-4">
        <RailList
          title={strings.rail.conversations}
          end={
            <IconButton
              size="small"
              label={strings.rail.newConversation}
              icon={<Plus size={16} aria-hidden />}
              onClick={() => {
                navigate(projectRoute(props.name, NEW_CONVERSATION));
                props.onGo();
              }}
            />
          }
        >
          {conversations.map((conversation) => (
            <RailLink
              key={conversation.id}
              to={projectRoute(props.name, conversation.id)}
              icon={<MessageSquare size={16} aria-hidden className="shrink-0" />}
              isCurrent={conversation.id === props.conversationId}
              isBusy={conversation.activeRunId !== null}
              onGo={props.onGo}
            >
              {conversation.title === "" ? strings.rail.untitled : conversation.title}
            </RailLink>
          ))}
          {props.conversationId === null ? (
            <RailLink
              to={projectRoute(props.name, NEW_CONVERSATION)}
              icon={<MessageSquare size={16} aria-hidden className="shrink-0" />}
              isCurrent
              onGo={props.onGo}
            >
              {strings.rail.untitled}
            </RailLink>
          ) : null}
        </RailList>
        <RailList
          title={strings.rail.projects}
          end={
            <IconButton
              size="small"
              label={strings.rail.home}
              icon={<House size={16} aria-hidden />}
              onClick={() => navigate({ view: "home" })}
            />
          }
        >
          {projects.slice(0, MAX_PROJECTS).map((project) => (
            <RailLink
              key={project.id}
              to={projectRoute(project.name ?? project.title)}
              isCurrent={project.id === props.project.id}
              onGo={props.onGo}
            >
              {project.title}
            </RailLink>
          ))}
        </RailList>
      </div>
      <div className="hidden shrink-0 items-center gap-1 border-t border-border p-2 max-phone:flex">
        <AppActions />
      </div>
    </>
  );
}

function RailList(props: {
  readonly title: string;
  readonly end: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section aria-label={props.title}>
      <div className="flex min-h-8 items-center justify-between ps-2">
        <h2 className="text-12 font-medium text-muted">{props.title}</h2>
        {props.end}
      </div>
      <ul className="flex flex-col">{props.children}</ul>
    </section>
  );
}

function RailLink(props: {
  readonly to: Route;
  readonly icon?: ReactNode;
  readonly isCurrent: boolean;
  readonly isBusy?: boolean;
  readonly onGo: () => void;
  readonly children: string;
}): ReactElement {
  const strings = useStrings();
  return (
    <li>
      <Link
        to={props.to}
        aria-current={props.isCurrent ? "page" : undefined}
        title={props.children}
        onClick={props.onGo}
        className={cx(
          "flex min-h-8 items-center gap-2 rounded-control px-2 text-14 pointer-coarse:min-h-11",
          props.isCurrent
            ? "bg-hover font-medium text-text"
            : "text-muted hover:bg-hover hover:text-text",
        )}
      >
        {props.icon}
        <bdi dir="auto" className="min-w-0 flex-1 truncate">
          {props.children}
        </bdi>
        {props.isBusy ? (
          <span
            role="img"
            aria-label={strings.chat.running}
            className="size-2 shrink-0 rounded-full bg-accent"
          />
        ) : null}
      </Link>
    </li>
  );
}
