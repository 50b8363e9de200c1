// before everything else: the port goes out in the first statement
import "./hello.ts";

import { installConsole } from "./console.ts";
import { installCookies } from "./cookies.ts";
import { installErrors } from "./errors.ts";
import { installGuard } from "./guard.ts";
import { port } from "./hello.ts";
import { installHistory } from "./history.ts";
import { installLinks } from "./links.ts";
import { readHostMessage } from "./messages.ts";
import { getterOf } from "./natives.ts";
import { outbox, type Send } from "./outbox.ts";
import { installSize } from "./size.ts";
import { installStorage } from "./storage.ts";

const send: Send = port === null ? () => {} : outbox(port.postMessage.bind(port));

installGuard(window, send);
installStorage(window);
installCookies(window);
installHistory(window);
installErrors(window, send);
installConsole(window, send);
installLinks(window, send);
installSize(window, send);

if (port !== null) {
  const dataOf = getterOf(MessageEvent.prototype, "data");
  port.onmessage = (event) => {
    const message = readHostMessage(dataOf(event));
    if (message !== null) {
      send({ type: "pong", id: message.id });
    }
  };
}
