export { reduce, reduceAll } from "./reducer.ts";
export * from "./selectors.ts";
export * from "./snapshots.ts";
export * from "./state.ts";
