/** Whether streams and webhooks were sent what the log has: on streams each event once and in turn, to a webhook each at least once. Pure. */
import type { EventSeen, History, StreamSeen } from "./history.ts";

export function judgeStreams({ streams, final }: History): string[] {
  const log = new Map(final.log.map((event) => [event.sequence, event.id]));
  return streams.flatMap((stream) => [...turns(stream), ...sameAsLog(stream, log), ...isWhole(stream, final.log)]);
}

function turns({ name, after, events, resets }: StreamSeen): string[] {
  const violations = resets > 0 ? [`stream ${name} was reset ${resets} times`] : [];
  let last = after;
  for (const { sequence } of events) {
    if (sequence !== last + 1) {
      violations.push(`stream ${name} had ${sequence} after ${last}`);
      break;
    }
    last = sequence;
  }
  return violations;
}

function sameAsLog({ name, events }: StreamSeen, log: ReadonlyMap<number, string>): string[] {
  const foreign = events.find(({ sequence, id }) => log.get(sequence) !== id);
  return foreign ? [`stream ${name} was told ${foreign.id} as ${foreign.sequence}, which the log has not`] : [];
}

function isWhole({ name, after, events }: StreamSeen, log: readonly EventSeen[]): string[] {
  const last = events.at(-1)?.sequence ?? after;
  const newest = log.at(-1)?.sequence ?? 0;
  return last < newest ? [`stream ${name} ends at ${last}, the log at ${newest}`] : [];
}

/** Every event reaches the receiver, those of one device for the first time in their order. */
export function judgeDeliveries({ deliveries, hookAfter, final }: History): string[] {
  const first = new Map<string, EventSeen>();
  for (const delivery of deliveries) if (!first.has(delivery.id)) first.set(delivery.id, delivery);
  const missing = final.log.filter(({ sequence, id }) => sequence > hookAfter && !first.has(id));
  const violations = missing.map(({ sequence, type }) => `event ${sequence} (${type}) was never delivered`);
  const known = new Set(final.log.map(({ id }) => id));
  for (const { id, sequence } of first.values())
    if (!known.has(id)) violations.push(`event ${sequence} (${id}) was delivered, and the log has it not`);
  const last = new Map<string, number>();
  for (const { change, sequence } of first.values()) {
    if (change === undefined) continue;
    const before = last.get(change.device) ?? 0;
    if (sequence < before) violations.push(`event ${sequence} of ${change.device} was delivered after ${before}`);
    last.set(change.device, Math.max(before, sequence));
  }
  return violations;
}
