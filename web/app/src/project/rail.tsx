import { cx, IconButton, Menu, MenuItem, MenuLink, useStrings } from "@vitrail/react";
import {
  type ConversationEntry,
  conversationsOf,
  type ProjectEntry,
  projectsByUse,
} from "@vitrail/stream";
import {
  Cpu,
  Ellipsis,
  House,
  MessageSquare,
  PanelLeftClose,
  Pencil,
  Plus,
  ScrollText,
  Trash2,
} from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { AppActions } from "../app-header.tsx";
import { Link } from "../link.tsx";
import { useWhyReadOnly } from "../read-only.ts";
import { RenameForm } from "../rename-form.tsx";
import { NEW_CONVERSATION, navigate, projectRoute, type Route } from "../routes.ts";
import { openSurface } from "../surfaces.ts";
import { useData, useWiring } from "../workspace-context.tsx";

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
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              name={props.name}
              isCurrent={conversation.id === props.conversationId}
              onGo={props.onGo}
            />
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
      <ul className="shrink-0 border-t border-border p-2">
        <RailLink
          to={{ view: "models" }}
          icon={<Cpu size={16} aria-hidden className="shrink-0" />}
          isCurrent={false}
          onGo={props.onGo}
        >
          {strings.models.title}
        </RailLink>
      </ul>
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

function ConversationRow(props: {
  readonly conversation: ConversationEntry;
  readonly name: string;
  readonly isCurrent: boolean;
  readonly onGo: () => void;
}): ReactElement {
  const strings = useStrings();
  const { workspace, api } = useWiring();
  const { conversation } = props;
  const why = useWhyReadOnly();
  const [isRenaming, setRenaming] = useState(false);
  const actions = useRef<HTMLButtonElement>(null);
  const [wasRenaming, setWasRenaming] = useState(false);
  useEffect(() => {
    if (wasRenaming && !isRenaming) actions.current?.focus();
    setWasRenaming(isRenaming);
  }, [isRenaming, wasRenaming]);
  const title = conversation.title === "" ? strings.rail.untitled : conversation.title;
  if (isRenaming) {
    return (
      <li>
        <RenameForm
          isNarrow
          title={title}
          label={strings.rail.renameConversation(title)}
          missing={strings.rail.nameMissing}
          onRename={(next) => workspace.renameConversation(conversation.id, next)}
          onAway={() => setRenaming(false)}
        />
      </li>
    );
  }
  return (
    <RailLink
      to={projectRoute(props.name, conversation.id)}
      icon={<MessageSquare size={16} aria-hidden className="shrink-0" />}
      isCurrent={props.isCurrent}
      isBusy={conversation.activeRunId !== null}
      onGo={props.onGo}
      end={
        <Menu
          align="end"
          label={strings.rail.conversationActions(title)}
          trigger={
            <IconButton
              ref={actions}
              size="small"
              label={strings.rail.conversationActions(title)}
              icon={<Ellipsis size={16} aria-hidden />}
            />
          }
        >
          <MenuItem
            icon={<Pencil size={16} aria-hidden />}
            whyDisabled={why}
            onSelect={() => setRenaming(true)}
          >
            {strings.action.rename}
          </MenuItem>
          <MenuLink
            icon={<ScrollText size={16} aria-hidden />}
            href={api.transcriptUrl(conversation.id)}
            download
          >
            {strings.rail.transcript}
          </MenuLink>
          <MenuItem
            isDanger
            icon={<Trash2 size={16} aria-hidden />}
            whyDisabled={
              why ??
              (conversation.activeRunId === null ? null : strings.rail.deleteRunning)
            }
            onSelect={() =>
              openSurface({
                surface: "delete-conversation",
                conversationId: conversation.id,
              })
            }
          >
            {strings.action.remove}
          </MenuItem>
        </Menu>
      }
    >
      {title}
    </RailLink>
  );
}

function RailLink(props: {
  readonly to: Route;
  readonly icon?: ReactNode;
  readonly isCurrent: boolean;
  readonly isBusy?: boolean;
  readonly onGo: () => void;
  /** What stands at the end of the row, beside the link. */
  readonly end?: ReactNode;
  readonly children: string;
}): ReactElement {
  const strings = useStrings();
  return (
    <li
      className={cx(
        "flex items-center gap-1 rounded-control pe-1",
        props.isCurrent ? "bg-hover" : "hover:bg-hover",
      )}
    >
      <Link
        to={props.to}
        aria-current={props.isCurrent ? "page" : undefined}
        title={props.children}
        onClick={props.onGo}
        className={cx(
          "flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-14 pointer-coarse:min-h-11",
          props.isCurrent ? "font-medium text-text" : "text-muted hover:text-text",
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
      {props.end}
    </li>
  );
}
