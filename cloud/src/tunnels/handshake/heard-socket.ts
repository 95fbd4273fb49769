/** A socket that tells of every message before it is looked at: what renews a lease is being heard, not being understood. */
import type { MessageSocket } from "@porchlight/shared/tunnel";

export function heardSocket(socket: MessageSocket, heard: (text: string) => void): MessageSocket {
  return {
    listen(events) {
      socket.listen({
        message(text) {
          heard(text);
          events.message(text);
        },
        closed: (code) => events.closed(code),
      });
    },
    send: (text, sent) => socket.send(text, sent),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: (code, reason) => socket.close(code, reason),
  };
}
