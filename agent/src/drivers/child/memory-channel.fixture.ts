/** Both ends of a channel in memory: every message passes as JSON, in order, and never in the same turn. */
import {
  type ChannelListener,
  type ChildChannel,
  MAX_IPC_BYTES,
  type ParentChannel,
  type ParentListener,
} from "./line-channel.ts";

export interface MemoryChannel {
  readonly parent: ParentChannel;
  readonly child: ChildChannel;
  /** Types of all messages, each with `>` to the child and `<` from it. */
  readonly sent: string[];
  /** The child dies: nothing of it arrives any more. */
  kill(): void;
  /** Runs before the child's question whether it may touch is answered. */
  beforeTouch: () => void;
}

interface End {
  listener: ChannelListener | undefined;
  readonly waiting: string[];
}

export function memoryChannel(): MemoryChannel {
  const atParent: End = { listener: undefined, waiting: [] };
  const atChild: End = { listener: undefined, waiting: [] };
  const sent: string[] = [];
  let parentListener: ParentListener | undefined;
  let isClosed = false;

  const close = (why: string) => {
    if (isClosed) return;
    isClosed = true;
    queueMicrotask(() => {
      atParent.listener?.closed(why);
      atChild.listener?.closed(why);
    });
  };
  const deliver = (end: End) =>
    queueMicrotask(() => {
      if (!end.listener) return;
      const next = end.waiting.shift();
      if (next !== undefined) end.listener.received(JSON.parse(next));
    });
  const send = (end: End, sign: string) => (message: object) => {
    if (isClosed) return;
    const json = JSON.stringify(message);
    if (Buffer.byteLength(json) > MAX_IPC_BYTES) return close("a message is too large");
    sent.push(`${sign} ${"type" in message ? String(message.type) : "?"}`);
    end.waiting.push(json);
    deliver(end);
  };
  const listen = (end: End, listener: ChannelListener) => {
    end.listener = listener;
    for (const _ of end.waiting) deliver(end);
  };

  const memory: MemoryChannel = {
    sent,
    kill: () => close("killed"),
    beforeTouch: () => undefined,
    parent: {
      gone: Promise.resolve(),
      send: send(atChild, ">"),
      listen: (listener) => {
        parentListener = listener;
        listen(atParent, listener);
      },
      close,
    },
    child: {
      send: send(atParent, "<"),
      listen: (listener) => listen(atChild, listener),
      close,
      mayTouch: (attempt) => {
        memory.beforeTouch();
        return !isClosed && (parentListener?.mayTouch(attempt) ?? false);
      },
    },
  };
  return memory;
}
