import type { Example } from "@vitrail/protocol";
import { Button, EmptyState, Notice, Skeleton, useStrings } from "@vitrail/react";
import { Play } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { usePreference } from "../preferences.ts";
import { useExamples, wordsOf } from "../queries.ts";
import { useIsOffline } from "../workspace-context.tsx";
import { usePlayExample } from "./play-example.ts";

/** Recordings that begin a conversation; what follows them is offered there. */
export function Examples(): ReactElement {
  const strings = useStrings();
  return (
    <section aria-labelledby="home-examples" className="flex flex-col gap-3">
      <div>
        <h2 id="home-examples" className="text-18 font-semibold">
          {strings.home.examples}
        </h2>
        <p className="text-14 text-muted">{strings.home.examplesText}</p>
      </div>
      <ExampleList />
    </section>
  );
}

function ExampleList(): ReactNode {
  const strings = useStrings();
  const examples = useExamples();
  if (examples.isPending) return <Skeleton lines={6} />;
  if (examples.isError) {
    const { words, code } = wordsOf(examples.error, strings.state.unknownError);
    return (
      <Notice
        tone="danger"
        code={code}
        actions={
          <Button onClick={() => void examples.refetch()}>{strings.action.retry}</Button>
        }
      >
        {words}
      </Notice>
    );
  }
  const first = examples.data.filter((example) => example.follows === null);
  if (first.length === 0) return <EmptyState text={strings.home.examplesEmpty} />;
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,220px),1fr))] gap-3">
      {first.map((example) => (
        <ExampleCard key={example.name} example={example} />
      ))}
    </ul>
  );
}

function ExampleCard(props: { readonly example: Example }): ReactElement {
  const strings = useStrings();
  const play = usePlayExample();
  const speed = usePreference((preferences) => preferences.speed);
  const isOffline = useIsOffline();
  const { example } = props;
  const [isOpening, setOpening] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const start = async (): Promise<void> => {
    if (isOpening) return;
    setOpening(true);
    setFailure(null);
    try {
      await play(example, speed);
    } catch (error) {
      setFailure(error);
      setOpening(false);
    }
  };
  const told = failure === null ? null : wordsOf(failure, strings.state.unknownError);
  return (
    <li className="relative flex flex-col gap-2 rounded-card border border-border p-4 transition-colors duration-120 ease-out hover:bg-hover">
      <h3 dir="auto" className="text-14 font-semibold">
        {example.title}
      </h3>
      <p dir="auto" className="flex-1 text-13 text-muted">
        {example.description === "" ? example.prompt : example.description}
      </p>
      <div className="flex items-center justify-between gap-2 pt-1">
        <span className="text-12 text-muted tabular-nums">
          {example.isShipped ? null : `${strings.home.exampleOwn} · `}
          {strings.format.duration(example.durationS)}
        </span>
        <Button
          size="small"
          className="after:absolute after:inset-0 after:rounded-card"
          aria-label={strings.home.playExample(example.title)}
          icon={<Play size={16} aria-hidden />}
          whyDisabled={isOffline ? strings.state.readOnly : null}
          onClick={() => void start()}
        >
          {isOpening ? strings.home.playing : strings.home.play}
        </Button>
      </div>
      {told === null ? null : (
        <Notice tone="danger" isLive code={told.code}>
          {told.words}
        </Notice>
      )}
    </li>
  );
}
