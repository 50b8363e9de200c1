/** How the elements of a message are drawn: nothing loads, links open by a click. */

import type { Components } from "hast-util-to-jsx-runtime";
import { ImageOff, Square, SquareCheck } from "lucide-react";
import {
  type ComponentProps,
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
} from "react";
import { useStrings } from "../strings/strings.tsx";
import { CodeBox } from "./code-box.tsx";
import { GrowingText } from "./growing-text.tsx";

/** Opens a file of the project that a reply links to; none: such a link is only text. */
export const OpenFileContext = createContext<((path: string) => void) | null>(null);

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

/** What each element of Markdown is drawn with. */
export const COMPONENTS: Components = {
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
