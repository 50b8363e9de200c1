import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from "react";
import { cx } from "../controls/cx.ts";
import { useStrings } from "../strings/strings.tsx";
import { Splitter } from "./splitter.tsx";
import { useWidth } from "./use-width.ts";

/** How much room there is: three panes, two with a switch, or one with a sheet. */
export type PaneMode = "wide" | "narrow" | "phone";

/** Sizes and foldings as they are remembered. */
export interface PaneLayout {
  readonly railPx: number;
  readonly isRailOpen: boolean;
  /** Part of the room beside the rail that the chat takes, 0 to 1. */
  readonly chatShare: number;
  readonly folded: "chat" | "stage" | null;
}

/** The layout of somebody who has not changed anything. */
export const DEFAULT_LAYOUT: PaneLayout = {
  railPx: 240,
  isRailOpen: true,
  chatShare: 0.38,
  folded: null,
};

const RAIL = { min: 180, max: 400 };
const CHAT_MIN_PX = 360;
const STAGE_MIN_PX = 320;

/** A pane that is not looked at keeps its size, its place and its life. */
const ASIDE = "invisible absolute inset-0 -z-10";

/**
 * Rail, chat and stage. The tree of elements is the same in every mode, so a
 * frame in the stage is never loaded again because the window was turned.
 */
export function Panes(props: {
  readonly mode: PaneMode;
  /** Which of the two panes is looked at where only one has room. */
  readonly view: "chat" | "stage";
  readonly layout: PaneLayout;
  readonly onLayout: (layout: PaneLayout) => void;
  /** Closes the stage where it is a sheet over the chat. */
  readonly onSheetAway: () => void;
  /** Closes the rail where it lies over the panes. */
  readonly onRailAway: () => void;
  readonly rail: ReactNode;
  readonly chat: ReactNode;
  readonly stage: ReactNode;
}): ReactElement {
  const strings = useStrings();
  const { mode, layout, onLayout } = props;
  const isWide = mode === "wide";
  const room = useWidth();
  const isChatShown = isWide ? layout.folded !== "chat" : props.view === "chat";
  const isStageShown = isWide ? layout.folded !== "stage" : props.view === "stage";
  const maxChat = Math.max(CHAT_MIN_PX, room.width - STAGE_MIN_PX);
  const chatPx = Math.min(maxChat, Math.max(CHAT_MIN_PX, room.width * layout.chatShare));
  const isSplit = isWide && isChatShown && isStageShown;

  return (
    <div className="relative flex min-h-0 flex-1">
      <RailPane mode={mode} layout={layout} onLayout={onLayout} onAway={props.onRailAway}>
        {props.rail}
      </RailPane>
      <div
        ref={room.ref}
        className={cx(
          "relative flex min-w-0 flex-1",
          mode === "phone" ? null : "isolate",
        )}
      >
        <main
          id="pane-chat"
          aria-label={strings.project.chat}
          inert={!isChatShown}
          className={cx(
            "flex min-h-0 min-w-0 flex-col bg-surface",
            isChatShown ? (isSplit ? "relative shrink-0" : "flex-1") : ASIDE,
          )}
          style={isSplit && room.width > 0 ? { inlineSize: chatPx } : undefined}
        >
          {props.chat}
          {isSplit ? (
            <Splitter
              label={strings.project.resizeChat}
              controls="pane-chat"
              orientation="vertical"
              range={{ value: chatPx, min: CHAT_MIN_PX, max: maxChat }}
              onChange={(px) =>
                onLayout({
                  ...layout,
                  chatShare: room.width > 0 ? px / room.width : 0.38,
                })
              }
              onFold={() => onLayout({ ...layout, folded: "chat" })}
            />
          ) : null}
        </main>
        <section
          id="pane-stage"
          aria-label={strings.project.stage}
          inert={!isStageShown}
          onKeyDown={(event) => {
            if (event.key === "Escape" && mode === "phone" && !event.defaultPrevented) {
              props.onSheetAway();
            }
          }}
          className={cx(
            "flex min-h-0 min-w-0 flex-1 flex-col bg-surface",
            isStageShown ? (mode === "phone" ? "fixed inset-0 z-30" : null) : ASIDE,
          )}
        >
          {props.stage}
        </section>
      </div>
    </div>
  );
}

function RailPane(props: {
  readonly mode: PaneMode;
  readonly layout: PaneLayout;
  readonly onLayout: (layout: PaneLayout) => void;
  readonly onAway: () => void;
  readonly children: ReactNode;
}): ReactElement | null {
  const strings = useStrings();
  const rail = useRef<HTMLElement>(null);
  const { mode, layout, onLayout } = props;
  const isWide = mode === "wide";
  useLayoutEffect(() => {
    if (layout.isRailOpen && !isWide) {
      rail.current?.querySelector<HTMLElement>("a, button")?.focus();
    }
  }, [layout.isRailOpen, isWide]);
  if (!layout.isRailOpen) return null;
  return (
    <>
      {isWide ? null : (
        <button
          type="button"
          aria-label={strings.rail.hide}
          tabIndex={-1}
          onClick={props.onAway}
          className="absolute inset-0 z-20 cursor-default bg-backdrop"
        />
      )}
      <nav
        ref={rail}
        id="pane-rail"
        aria-label={strings.rail.label}
        onKeyDown={(event) => {
          if (event.key === "Escape" && !isWide) props.onAway();
        }}
        style={{ inlineSize: isWide ? layout.railPx : 280 }}
        className={cx(
          "flex min-h-0 shrink-0 flex-col bg-sunken",
          isWide
            ? "relative"
            : "absolute inset-y-0 start-0 z-20 max-w-[85%] border-e border-border",
        )}
      >
        {props.children}
        {isWide ? (
          <Splitter
            label={strings.project.resizeRail}
            controls="pane-rail"
            orientation="vertical"
            range={{ value: layout.railPx, ...RAIL }}
            onChange={(railPx) => onLayout({ ...layout, railPx })}
            onFold={() => onLayout({ ...layout, isRailOpen: false })}
          />
        ) : null}
      </nav>
    </>
  );
}
