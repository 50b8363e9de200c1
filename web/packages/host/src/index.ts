/** Name of the desktop host's contract; a host announces it, the workspace looks for it. */
export const HOST_CONTRACT = "vitrail.host/1";
