/** The worker that colours code; one request at a time, answered by its number. */

import { tokenise } from "./tokenise.ts";
import type { TokenReply, TokenRequest } from "./tokens.ts";

self.addEventListener("message", (event: MessageEvent<TokenRequest>) => {
  const { id, text, language } = event.data;
  const tokens = tokenise(text, language);
  const reply: TokenReply = { id, tokens };
  self.postMessage(reply, { transfer: [tokens.ends.buffer, tokens.types.buffer] });
});
