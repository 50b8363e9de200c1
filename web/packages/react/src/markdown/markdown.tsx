import { ImageOff, Square, SquareCheck } from "lucide-react";
import {
  type ComponentProps,
  createContext,
  memo,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import remarkCjkFriendly from "remark-cjk-friendly";
import remarkGfm from "remark-gfm";
import { cx } from "../controls/cx.ts";
import { ErrorBoundary } from "../controls/states.tsx";
import { useStrings } from "../strings/strings.tsx";
import { type Block, BlockSplitter } from "./blocks.ts";
import { CodeBox } from "./code-box.tsx";
import { rehypeDirection } from "./direction.ts";
import { GrowingText } from "./growing-text.tsx";
import {
  rehypeGrowingText,
  remarkNoFootnotes,
  remarkRawImages,
  remarkUnlinkImages,
} from "./plugins.ts";
import { isTangled } from "./tangle.ts";

const SECTION_BLOCKS = 16;
const REMARK_PLUGINS: NonNullable<Options["remarkPlugins"]> = [
  remarkGfm,
  remarkNoFootnotes,
  remarkCjkFriendly,
  remarkRawImages,
  remarkUnlinkImages,
];
const REHYPE_PLUGINS: NonNullable<Options["rehypePlugins"]> = [
  rehypeDirection,
  rehypeGrowingText,
];

/** Opens a file of the project that a reply links to; none: such a link is only text. */
const OpenFileContext = createContext<((path: string) => void) | null>(null);

/** Returns the address if a person may open it, with its host; links run no script. */
function outsideAddress(href: string | undefined): URL | null {
  if (href === undefined) return null;
  const absolute = href.startsWith("//") ? `https:${href}` : href;
  if (!/^(?:https?|mailto):/i.test(absolute)) return null;
  try {
    return new URL(absolute);
  } catch {
    return null;
  }
}

function Anchor(props: ComponentProps<"a">): ReactElement {
  const strings = useStrings();
  const openFile = useContext(OpenFileContext);
  const { href, children } = props;
  const address = outsideAddress(href);
  if (address !== null) {
    return (
      <a
        href={address.href}
        target="_blank"
        rel="noopener noreferrer"
        title={strings.chat.linkOut(address.host === "" ? address.href : address.host)}
      >
        {children}
      </a>
    );
  }
  const isPath = href !== undefined && /^(?![/#?])[^:]+$/.test(href);
  if (!isPath || openFile === null) return <span>{children}</span>;
  const path = decodeURI(href);
  return (
    <button type="button" className="link" onClick={() => openFile(path)}>
      {children}
    </button>
  );
}

/** Stands where an image would be: nothing is loaded until the person opens it. */
function BlockedImage(props: ComponentProps<"img">): ReactElement {
  const strings = useStrings();
  const src = typeof props.src === "string" ? props.src : undefined;
  const address = outsideAddress(src);
  const isUsable = address !== null && address.protocol !== "mailto:";
  return (
    <span className="blocked-image">
      <ImageOff size={16} aria-hidden />
      {props.alt ? <span dir="auto">{props.alt}</span> : null}
      <span className="blocked-image-host">
        {isUsable ? strings.chat.imageBlocked(address.host) : strings.chat.imageBroken}
      </span>
      {isUsable ? (
        <a href={address.href} target="_blank" rel="noopener noreferrer">
          {strings.chat.imageOpen}
        </a>
      ) : null}
    </span>
  );
}

function TaskBox(props: ComponentProps<"input">): ReactElement {
  const Icon = props.checked ? SquareCheck : Square;
  return <Icon size={16} aria-hidden className="task-box" />;
}

function Table(props: ComponentProps<"table">): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <div className="table-scroll" tabIndex={0}>
      <table>{props.children}</table>
    </div>
  );
}

function Pre(props: ComponentProps<"pre">): ReactElement {
  const { language, text } = codeOf(props.children);
  return <CodeBox language={language} segments={[text]} />;
}

function codeOf(children: ReactNode): {
  readonly language: string;
  readonly text: string;
} {
  if (children === null || typeof children !== "object" || !("props" in children)) {
    return { language: "", text: typeof children === "string" ? children : "" };
  }
  const { className = "", children: text } = children.props as ComponentProps<"code">;
  const language = /(?:^|\s)language-(\S+)/.exec(className)?.[1] ?? "";
  return { language, text: typeof text === "string" ? text : "" };
}

/** Headings of a message are parts of the message, not of the page's outline. */
function Heading(
  props: ComponentProps<"h3"> & { readonly level: 1 | 2 | 3 | 4 },
): ReactElement {
  const Tag = `h${props.level + 2}` as "h3" | "h4" | "h5" | "h6"; // of a level from 1 to 4
  return (
    <Tag dir={props.dir} className={`heading-${props.level}`}>
      {props.children}
    </Tag>
  );
}

function Heading1(props: ComponentProps<"h1">): ReactElement {
  return (
    <Heading level={1} dir={props.dir}>
      {props.children}
    </Heading>
  );
}

function Heading2(props: ComponentProps<"h2">): ReactElement {
  return (
    <Heading level={2} dir={props.dir}>
      {props.children}
    </Heading>
  );
}

function Heading3(props: ComponentProps<"h3">): ReactElement {
  return (
    <Heading level={3} dir={props.dir}>
      {props.children}
    </Heading>
  );
}

function Heading4(props: ComponentProps<"h4">): ReactElement {
  return (
    <Heading level={4} dir={props.dir}>
      {props.children}
    </Heading>
  );
}

function Span(
  props: ComponentProps<"span"> & { readonly "data-grow"?: string },
): ReactElement {
  const text = props["data-grow"];
  return text === undefined ? <span>{props.children}</span> : <GrowingText text={text} />;
}

const COMPONENTS: Components = {
  span: Span,
  a: Anchor,
  img: BlockedImage,
  input: TaskBox,
  table: Table,
  pre: Pre,
  h1: Heading1,
  h2: Heading2,
  h3: Heading3,
  h4: Heading4,
  h5: Heading4,
  h6: Heading4,
};

/** Addresses are judged where they are used; the parser passes them on as they are. */
function keepUrl(url: string): string {
  return url;
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
      <ReactMarkdown
        remarkPlugins={REMARK_PLUGINS}
        rehypePlugins={REHYPE_PLUGINS}
        components={COMPONENTS}
        urlTransform={keepUrl}
      >
        {source}
      </ReactMarkdown>
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

const Section = memo(
  function Section(props: { readonly blocks: readonly Block[] }): ReactNode {
    return props.blocks.map((block, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: settled blocks never move
      <BlockView key={place} block={block} />
    ));
  },
  (before, after) =>
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, place) => block === after.blocks[place]),
);

function sectionsOf(blocks: readonly Block[]): (readonly Block[])[] {
  const sections: (readonly Block[])[] = [];
  for (let from = 0; from < blocks.length; from += SECTION_BLOCKS) {
    sections.push(blocks.slice(from, from + SECTION_BLOCKS));
  }
  return sections;
}

/** Returns the blocks of a text; for a growing one only the new part is read. */
function useBlocks(text: string, isStreaming: boolean): readonly Block[] {
  const holder = useRef<BlockSplitter | null>(null);
  return useMemo(() => {
    const current = holder.current;
    const splitter = current?.continues(text) ? current : new BlockSplitter();
    splitter.update(text);
    if (!isStreaming) splitter.finish();
    holder.current = isStreaming ? splitter : null;
    return [...splitter.settled, ...splitter.tail()];
  }, [text, isStreaming]);
}

/** Sections that are drawn at once, and those that each further frame adds. */
const FIRST_SECTIONS = 6;
const SECTIONS_A_FRAME = 4;

/** Returns how many sections to draw: a long text comes in over some frames, each of them short. */
function useSectionsShown(total: number): number {
  const [shown, setShown] = useState(FIRST_SECTIONS);
  useEffect(() => {
    if (shown >= total) return;
    const frame = requestAnimationFrame(() => setShown(shown + SECTIONS_A_FRAME));
    return () => cancelAnimationFrame(frame);
  }, [shown, total]);
  return shown;
}

/**
 * Markdown of a message, which may still grow. Raw HTML is shown as text,
 * images are placeholders, links open by a click in a new tab. What is settled
 * is never parsed again, and what is selected stays selected.
 */
export function Markdown(props: {
  readonly text: string;
  /** Shows the caret behind the last letter. */
  readonly isStreaming?: boolean;
  readonly onOpenFile?: ((path: string) => void) | undefined;
}): ReactElement {
  const isStreaming = props.isStreaming === true;
  const sections = sectionsOf(useBlocks(props.text, isStreaming));
  const shown = useSectionsShown(sections.length);
  return (
    <OpenFileContext value={props.onOpenFile ?? null}>
      <div className={cx("prose", isStreaming ? "prose-streaming" : null)}>
        {sections.slice(0, shown).map((section, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sections never move
          <Section key={place} blocks={section} />
        ))}
      </div>
    </OpenFileContext>
  );
}
