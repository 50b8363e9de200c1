import { createContext, type ReactElement, type ReactNode, useContext } from "react";
import { en } from "./en.ts";

type Widen<T> = T extends string
  ? string
  : T extends (...args: infer Arguments) => string
    ? (...args: Arguments) => string
    : { readonly [Key in keyof T]: Widen<T[Key]> };

/** The shape that the catalogue of every language has. */
export type Strings = Widen<typeof en>;

const StringsContext = createContext<Strings>(en);

/** Gives everything below it the strings of one language. */
export function StringsProvider(props: {
  readonly strings: Strings;
  readonly children: ReactNode;
}): ReactElement {
  return <StringsContext value={props.strings}>{props.children}</StringsContext>;
}

/** Returns the strings of the language in use; English where no provider is. */
export function useStrings(): Strings {
  return useContext(StringsContext);
}
