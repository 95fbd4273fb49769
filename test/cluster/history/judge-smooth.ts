/** Whether no caller noticed: for runs in which nothing was broken, and nodes were restarted in order at most. Pure. */
import type { History } from "./history.ts";

/** Callers that came by the balancer got an answer, and none that speaks of a fault; who asks one node alone is not promised that it is there. */
export function judgeSmooth({ puts }: Pick<History, "puts">): string[] {
  return puts.flatMap(({ kind, device, property, value, attempts }) =>
    attempts.flatMap(({ node, begin, end, status, title, outcome }) => {
      if (node !== "balancer" || (status !== undefined && status < 500)) return [];
      const answer = status === undefined ? "no answer" : [status, title, outcome].filter((word) => word).join(" ");
      const when = `${Math.round(begin)}..${end === undefined ? "" : Math.round(end)}`;
      return [`${kind} ${device} ${property} = ${value} got an error through the balancer (${when}: ${answer})`];
    }),
  );
}
