/** What is said of files: their list, their history, drafts beside them, and conflicts. */

import { count, formatNumber } from "./plural.ts";

/** The part of the English catalogue that is about files. */
export const enFiles = {
  files: {
    empty: "No files yet.",
    emptyAction: "Write a message",
    name: "Name",
    size: "Size",
    state: "State",
    changed: "Last change",
    actions: "Actions",
    table: "Files of the project",
    open: (path: string) => `Open ${path}`,
    download: (path: string) => `Download ${path}`,
    actionsOf: (path: string) => `Actions for ${path}`,
    versionsOf: (path: string) => `Versions of ${path}`,
    folder: (name: string, files: number) =>
      `Folder ${name}, ${count(files, "file", "files")}`,
    parts: (path: string, parts: number) =>
      `${path} consists of ${count(parts, "more file", "more files")}`,
    outside: "not by Vitrail",
    renameTo: (path: string) => `New name for ${path}`,
    renameMissing: "A file needs a name.",
    renamed: (from: string, to: string) => `${from} is ${to} now.`,
    movedAlong: (parts: number) => `${count(parts, "file", "files")} moved along.`,
    rewritten: (paths: string) => `References were rewritten in ${paths}.`,
    renameUndo: "Undo the renaming",
    deleteTitle: (path: string) => `Delete ${path}?`,
    deleteText:
      "It leaves the project's folder. Its versions stay, so it can be brought back from here.",
    deleteButton: "Delete file",
    deleteButtonAll: (files: number) => `Delete ${count(files, "file", "files")}`,
    deleteParts: (parts: number) =>
      `Delete ${count(parts, "file", "files")} along that only this page needs`,
    moveParts: (parts: number) =>
      `Move ${count(parts, "file", "files")} along that only this page needs`,
    partsList: "Files that only this page needs",
    partsShared: (parts: number) =>
      parts === 1
        ? "One more file stays, as another file needs it too:"
        : `${formatNumber(parts)} more files stay, as other files need them too:`,
    partUser: (path: string) => `needed by ${path}`,
    partsUnknown: "Which files only this page needs could not be found out.",
    partsLooking: "Looking for files that only this page needs",
    deleted: (path: string) => `${path} is deleted.`,
    deletedWith: (path: string, parts: number) =>
      `${path} and ${count(parts, "file that only it needed", "files that only it needed")} are deleted.`,
    bringBack: "Bring it back",
    bringAllBack: "Bring them back",
    bringBackOf: (path: string) => `Bring it back: ${path}`,
    gone: "Deleted files",
    goneText: (number: number, when: string) =>
      `Revision ${formatNumber(number)}, ${when}`,
    changedSince: (path: string) =>
      `${path} changed in the meantime. Look at it, then try again.`,
    add: "Add files",
    addFiles: "Files or a ZIP",
    addFolder: "A folder",
    adding: (files: number) => `Adding ${count(files, "file", "files")}`,
    added: (files: number) => `${count(files, "file was", "files were")} added.`,
    drop: "Drop files, a folder or a ZIP here",
    refusedTitle: "Nothing was added",
    refusedText: (files: number) =>
      `${count(files, "name is", "names are")} refused. Mend or leave out these, then add the rest.`,
    replace: "Replace them",
    replaceText:
      "These files are there already with other content. Replaced, the old ones stay in Versions.",
    replaceReason: "Replaced by files that were added.",
    addedAside: (files: number) =>
      `${count(files, "file", "files")} of them wait aside for your decision.`,
    leftOut: (files: number) =>
      `${count(files, "hidden or internal file was", "hidden or internal files were")} left out.`,
    nothingChosen: "The folder is empty.",
    states: {
      complete: "Complete",
      streaming: "Streaming",
      error: "Cut off",
      draft: "Draft",
      none: "Plain file",
    },
    kinds: {
      html: "Page",
      deck: "Deck",
      "react-component": "React component",
      "markdown-document": "Document",
      svg: "Picture",
      diagram: "Diagram",
      "code-snippet": "Code",
      "mini-app": "App",
      "design-system": "Design system",
      other: "File",
    },
  },

  history: {
    empty: "No version yet.",
    emptyText: "Each change of the file becomes a version here.",
    list: (path: string) => `Versions of ${path}`,
    total: (revisions: number) => count(revisions, "version", "versions"),
    authors: {
      model: "Model",
      person: "You",
      refresh: "Refresh",
      outside: "Outside Vitrail",
      restore: "Restored",
    },
    current: "Current",
    first: "First version",
    show: "Show what it changed",
    choose: (number: number) => `Compare revision ${formatNumber(number)}`,
    chooseHelp: "Choose one version to see what it changed, two to compare them.",
    more: "Older versions",
    run: "Message",
    openRun: (number: number) =>
      `Go to the message that made revision ${formatNumber(number)}`,
    versus: (old: string, fresh: string) =>
      `${old} compared with ${fresh.charAt(0).toLowerCase()}${fresh.slice(1)}`,
    revision: (number: number) => `Revision ${formatNumber(number)}`,
    nothing: "Nothing",
    working: "The file now",
    draft: "The draft",
    added: (lines: number) => `${count(lines, "line", "lines")} added`,
    removed: (lines: number) => `${count(lines, "line", "lines")} removed`,
    same: "Both versions have the same text.",
    binary: "These versions are not text, so there is nothing to compare by line.",
    truncated:
      "These versions differ a lot, so the comparison is coarse and may end early.",
    endings: (first: number, last: number, old: string, fresh: string) =>
      first === last
        ? `The line break of line ${formatNumber(first)} changed: ${old} became ${fresh}.`
        : `Line breaks of lines ${formatNumber(first)} to ${formatNumber(last)} changed: ${old} became ${fresh}.`,
    endingNames: { "\n": "LF", "\r\n": "CRLF", "\r": "CR", "": "none" } as Readonly<
      Record<string, string>
    >,
    moreEndings: (rest: number) =>
      `${count(rest, "more stretch", "more stretches")} of line breaks changed.`,
    gap: (lines: number) => `${count(lines, "line", "lines")} unchanged`,
    gapEnd: "Unchanged from here on",
    gapOpen: "Show these lines",
    rest: (chars: number) => `… ${formatNumber(chars)} more characters in this line`,
    lineAdded: "Added",
    lineRemoved: "Removed",
    diff: (path: string) => `Changes of ${path}`,
    split: "Side by side",
    back: "All versions",
    restore: "Restore",
    restoreOf: (number: number) => `Restore revision ${formatNumber(number)}`,
    restoring: "Restoring",
    restored: (old: number, fresh: number) =>
      `Revision ${formatNumber(old)} is back, as revision ${formatNumber(fresh)}. Nothing was overwritten.`,
    restoreUndo: "Undo",
    isCurrent: "This is what the file has now.",
    download: (number: number) => `Download revision ${formatNumber(number)}`,
    conflict:
      "The file changed in the meantime, so nothing was restored. Look at the newest version, then try again.",
    lost: "This change lost",
    lostNames: {
      section: (name: string) => `Section “${name}”`,
      id: (name: string) => `Element #${name}`,
      function: (name: string) => `Function ${name}`,
      slide: (name: string) => `Slide “${name}”`,
      words: (name: string) => `Words “${name}”`,
      typed: (name: string) => `What you typed: “${name}”`,
    },
    lostMore: (rest: number) => `and ${formatNumber(rest)} more`,
    lostLess: "Show fewer",
    putBack: "Put back",
    putBackOf: (name: string) => `Put back “${name}”`,
    isBack: "In the file",
    isBackOf: (name: string) => `In the file: “${name}”`,
    isBackWhy: "The file has this passage now.",
    puttingBack: "Putting back",
    isPutBack: (name: string, number: number) =>
      `“${name}” is in the file again, as revision ${formatNumber(number)}. Nothing was overwritten.`,
    isThere: (name: string) => `The file has “${name}” already, so nothing was changed.`,
    putBackConflict:
      "The file changed in the meantime, so nothing was put back. Look at the newest version, then try again.",
  },

  drafts: {
    kept: (path: string) => `Kept aside: a new version of ${path}`,
    keptLosing: (path: string, what: string) =>
      `Kept aside: ${what} would vanish from ${path}`,
    stays: (path: string, draft: string) =>
      `${path} was not changed. The new version is ${draft}.`,
    replaced: (path: string) => `Another program replaced ${path}`,
    replacedLosing: (path: string, what: string) =>
      `Another program replaced ${path}: ${what} vanished`,
    isThere: (path: string) =>
      `${path} is the new version now; the one before is in Versions.`,
    reasons: {
      "artifact-regression":
        "The new version is much smaller, or lacks much of the old one.",
      "changed-since-shown": "The file was changed after the model had read it.",
      "merge-conflict": "You and the model changed the same lines.",
      incomplete: "The new version ends early.",
    },
    sections: (n: number) => count(n, "section", "sections"),
    ids: (n: number) => count(n, "named element", "named elements"),
    functions: (n: number) => count(n, "function", "functions"),
    slides: (n: number) => count(n, "slide", "slides"),
    words: (n: number) => count(n, "passage", "passages"),
    typed: (n: number) => count(n, "passage that you typed", "passages that you typed"),
    compare: "Compare",
    accept: "Take the new version",
    drop: "Drop it",
    keep: "Keep the new version",
    bringBack: "Bring the old one back",
    merge: "Choose line by line",
    accepted: (path: string) =>
      `${path} has the new version now. The old one is in Versions.`,
    dropped: (path: string) =>
      `The new version of ${path} was dropped. ${path} is as it was.`,
    keptNew: (path: string) => `${path} stays as it is now.`,
    broughtBack: (path: string) => `${path} is as it was before.`,
    changed:
      "The file changed in the meantime. Nothing was taken; compare again, then decide.",
    more: (drafts: number) => `${count(drafts, "more draft waits", "more drafts wait")}`,
    next: "Next",
    lost: "Would vanish",
    vanished: "Vanished",
  },

  conflict: {
    title: (path: string) => `Two texts of ${path}`,
    text: "It was changed while you were writing. Both texts are kept until you save.",
    textDraft: "Both texts are kept until you save.",
    mine: "Yours",
    theirs: "On disk",
    model: "The model's",
    both: "Both",
    ranges: (ranges: number) => count(ranges, "difference", "differences"),
    left: (ranges: number) =>
      ranges === 0 ? "All decided" : `${formatNumber(ranges)} to decide`,
    range: (place: number, all: number) => `Difference ${place} of ${all}`,
    onlyMine: "Only you changed this",
    onlyTheirs: "Only they changed this",
    byBoth: "Changed by both",
    take: (whose: string) => `Take: ${whose}`,
    empty: "Nothing here",
    folded: (lines: number) => `${count(lines, "equal line", "equal lines")}`,
    edit: "Edit the result",
    editBack: "Back to the differences",
    later: "Decide later",
    result: "The result",
    save: "Save the result",
    saving: "Saving",
    undecidedWhy: (ranges: number) =>
      `${count(ranges, "difference waits", "differences wait")} for your choice.`,
    discard: "Discard mine",
    discardTitle: "Discard your text?",
    discardText: (path: string) =>
      `What you typed into ${path} and did not save goes for good. The file on disk stays.`,
    allMine: "All mine",
    allTheirs: "All theirs",
    baseGone:
      "The version that you began from is not known, so every difference is asked.",
    movedOn: "It was changed once more. Your result is kept as your text.",
  },

  edit: {
    edit: "Edit",
    label: (path: string) => `Text of ${path}`,
    save: "Save",
    saving: "Saving",
    saved: (number: number) => `Saved as revision ${formatNumber(number)}.`,
    savedAside: "Kept aside: it is not the file yet. Say above what is to become of it.",
    discard: "Discard",
    streaming: "The model is writing this file. Editing works when it is done.",
    kept: "Unsaved. A reload keeps it.",
    notKept: "Unsaved, and too long to survive a reload.",
    changedTitle: (path: string) => `${path} was changed while you were writing`,
    changedText:
      "Your text is kept. Saving asks which of the two stays where they differ.",
    resolve: "Look at both",
    gone: (path: string) =>
      `${path} was deleted while you were writing. Saving makes it anew.`,
    refused: "Not saved. Your text is still here.",
  },

  changed: {
    title: (path: string) => `${path} was changed on disk`,
    text: (number: number | null) =>
      number === null
        ? "Another program wrote it. The new content is shown."
        : `Another program wrote it. The new content is shown; it is revision ${formatNumber(number)}.`,
    compare: "Compare",
  },
} as const;
