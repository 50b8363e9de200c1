import { memo, type ReactElement, useMemo, useRef } from "react";
import { cx } from "../controls/cx.ts";
import { ErrorBoundary } from "../controls/states.tsx";
import type { Block } from "./blocks.ts";
import { CodeBox } from "./code-box.tsx";
import { OpenFileContext } from "./elements.tsx";
import { BLOCK_CHARS, useFrameBudget } from "./frame-budget.ts";
import { drawMarkdown } from "./pipeline.ts";
import { type Chapter, type Section, SectionList } from "./sections.ts";
import { isTangled } from "./tangle.ts";

const LINE_PX = 24;
const GAP_PX = 12;
const CHARS_A_LINE = 72;
const LONG_SECTIONS = 4;

function Parsed(props: { readonly source: string }): ReactElement {
  return useMemo(() => drawMarkdown(props.source), [props.source]);
}

const Prose = memo(function Prose(props: {
  readonly text: string;
  readonly definitions: string;
}): ReactElement {
  const source =
    props.definitions === "" ? props.text : `${props.text}\n\n${props.definitions}`;
  if (isTangled(source)) return <Plain text={props.text} />;
  return (
    <ErrorBoundary fallback={() => <Plain text={props.text} />}>
      <Parsed source={source} />
    </ErrorBoundary>
  );
});

const Plain = memo(function Plain(props: { readonly text: string }): ReactElement {
  return (
    <p dir="auto" className="whitespace-pre-wrap">
      {props.text}
    </p>
  );
});

function BlockView(props: { readonly block: Block }): ReactElement {
  const { block } = props;
  switch (block.kind) {
    case "prose":
      return <Prose text={block.text} definitions={block.definitions} />;
    case "code":
      return <CodeBox language={block.language} segments={block.segments} />;
    case "plain":
      return <Plain text={block.text} />;
  }
}

/** Returns about how high a section is before it was ever laid out, in CSS pixels. */
function heightOf(section: Section): number {
  const lines = Math.ceil(section.chars / CHARS_A_LINE) + section.blocks.length;
  return lines * LINE_PX + section.blocks.length * GAP_PX;
}

const SectionView = memo(function SectionView(props: {
  readonly section: Section;
  /** It begins the message, or it is what the reader waits for: it is drawn at once. */
  readonly isUrgent: boolean;
}): ReactElement {
  const { blocks, chars } = props.section;
  const place = useRef<HTMLDivElement>(null);
  const cost = chars + blocks.length * BLOCK_CHARS;
  const isReady = useFrameBudget(cost, props.isUrgent, place);
  return (
    <div
      ref={place}
      className="prose-section"
      style={{ containIntrinsicBlockSize: `auto ${heightOf(props.section)}px` }}
    >
      {isReady
        ? blocks.map((block, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: settled blocks never move
            <BlockView key={at} block={block} />
          ))
        : blocks.map((block, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: settled blocks never move
            <Plain key={at} text={rawOf(block)} />
          ))}
    </div>
  );
});

function rawOf(block: Block): string {
  return block.kind === "code" ? block.segments.join("") : block.text;
}

const ChapterView = memo(function ChapterView(props: {
  readonly chapter: Chapter;
  readonly isFirst: boolean;
  readonly isGrowing: boolean;
}): ReactElement {
  const { chapter } = props;
  const height = chapter.reduce((sum, section) => sum + heightOf(section), 0);
  return (
    <div
      className="prose-section"
      style={{ containIntrinsicBlockSize: `auto ${height}px` }}
    >
      {chapter.map((section, place) => (
        <SectionView
          // biome-ignore lint/suspicious/noArrayIndexKey: sections never move
          key={place}
          section={section}
          isUrgent={
            (props.isFirst && place === 0) ||
            (props.isGrowing && place === chapter.length - 1)
          }
        />
      ))}
    </div>
  );
});

/** Returns the chapters of a text; for a growing one only the new part is read. */
function useChapters(text: string, isStreaming: boolean): readonly Chapter[] {
  const holder = useRef<SectionList | null>(null);
  return useMemo(() => {
    const current = holder.current;
    const list = current?.continues(text) ? current : new SectionList();
    holder.current = isStreaming ? list : null;
    return list.update(text, !isStreaming);
  }, [text, isStreaming]);
}

/** True for more than a few screens: only then is it worth to leave something out. */
function isLong(chapters: readonly Chapter[]): boolean {
  return chapters.length > 1 || (chapters[0]?.length ?? 0) > LONG_SECTIONS;
}

/**
 * Markdown of a message, which may still grow. Raw HTML is shown as text,
 * images are placeholders, links open by a click in a new tab. What is settled
 * is never parsed again, what is out of sight is not laid out, and what is
 * selected stays selected.
 */
export function Markdown(props: {
  readonly text: string;
  /** Shows the caret behind the last letter. */
  readonly isStreaming?: boolean;
  readonly onOpenFile?: ((path: string) => void) | undefined;
}): ReactElement {
  const isStreaming = props.isStreaming === true;
  const chapters = useChapters(props.text, isStreaming);
  return (
    <OpenFileContext value={props.onOpenFile ?? null}>
      <div
        className={cx(
          "prose",
          isStreaming ? "prose-streaming" : null,
          isLong(chapters) ? "prose-long" : null,
        )}
      >
        {chapters.map((chapter, place) => (
          <ChapterView
            // biome-ignore lint/suspicious/noArrayIndexKey: chapters never move
            key={place}
            chapter={chapter}
            isFirst={place === 0}
            isGrowing={isStreaming && place === chapters.length - 1}
          />
        ))}
      </div>
    </OpenFileContext>
  );
}
