import { useState } from "react";

/** An act that takes its time: whether it goes on, and how it failed. */
export interface Act {
  readonly isBusy: boolean;
  readonly failure: unknown;
  /** Does it, unless it goes on already; returns whether it went through. */
  readonly run: (act: () => Promise<void>) => Promise<boolean>;
  readonly forget: () => void;
}

/** Returns an act with nothing done yet. */
export function useAct(): Act {
  const [state, setState] = useState<{
    readonly isBusy: boolean;
    readonly failure: unknown;
  }>({ isBusy: false, failure: null });
  const run = async (act: () => Promise<void>): Promise<boolean> => {
    if (state.isBusy) return false;
    setState({ isBusy: true, failure: null });
    try {
      await act();
      setState({ isBusy: false, failure: null });
      return true;
    } catch (failure) {
      setState({ isBusy: false, failure });
      return false;
    }
  };
  const forget = (): void => setState((now) => ({ ...now, failure: null }));
  return { ...state, run, forget };
}
