const channel = new MessageChannel();
window.parent.postMessage({ vitrail: "port" }, "*", [channel.port2]);
