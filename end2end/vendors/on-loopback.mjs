// Preloaded into a server that we did not write: it listens on this machine only, whatever it asks for.
import { Server } from "node:net";

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, Number(port), "127.0.0.1", ...rest.filter((one) => typeof one === "function"));
};
