/** Which role is read or recognised on which ground; the contrast test computes them all. */

/** A foreground role, its grounds, and the lowest ratio of WCAG 2.2 that it must reach. */
export interface RolePair {
  readonly foreground: string;
  readonly grounds: readonly string[];
  /** 4.5 for text (1.4.3), 3 for the edges of controls and for focus (1.4.11). */
  readonly minimum: 4.5 | 3;
}

const GROUNDS = ["surface", "surface-raised", "surface-sunken", "surface-hover"] as const;
const CODE_GROUNDS = ["surface", "surface-sunken"] as const;
const STATES = ["success", "warning", "danger", "info"] as const;
const CODE_ROLES = [
  "plain",
  "keyword",
  "string",
  "comment",
  "number",
  "function",
  "type",
  "tag",
  "attribute",
  "variable",
] as const;

/** Every pair of roles that a component puts together. */
export const ROLE_PAIRS: readonly RolePair[] = [
  { foreground: "text", grounds: [...GROUNDS, "accent-soft", "selection"], minimum: 4.5 },
  { foreground: "text-muted", grounds: [...GROUNDS, "accent-soft"], minimum: 4.5 },
  { foreground: "text-faint", grounds: [...GROUNDS], minimum: 4.5 },
  { foreground: "accent", grounds: [...GROUNDS, "accent-soft"], minimum: 4.5 },
  { foreground: "on-accent", grounds: ["accent", "accent-hover"], minimum: 4.5 },
  {
    foreground: "text",
    grounds: ["diff-added", "diff-removed", "diff-added-word", "diff-removed-word"],
    minimum: 4.5,
  },
  { foreground: "text-muted", grounds: ["diff-added", "diff-removed"], minimum: 4.5 },
  ...STATES.map(
    (state): RolePair => ({
      foreground: state,
      grounds: [...GROUNDS, `${state}-soft`],
      minimum: 4.5,
    }),
  ),
  ...STATES.map(
    (state): RolePair => ({
      foreground: "text",
      grounds: [`${state}-soft`],
      minimum: 4.5,
    }),
  ),
  ...CODE_ROLES.map(
    (role): RolePair => ({
      foreground: `code-${role}`,
      grounds: [...CODE_GROUNDS],
      minimum: 4.5,
    }),
  ),
  {
    foreground: "border-strong",
    grounds: ["surface", "surface-raised", "surface-sunken"],
    minimum: 3,
  },
  { foreground: "focus", grounds: [...GROUNDS, "accent-soft"], minimum: 3 },
];
