/** Whether no caller noticed: for runs in which nothing was broken, and nodes were restarted in order at most. Pure. */
import type { History } from "./history.ts";

/** Callers through the balancer got an answer without a fault; a caller that asks one node alone has no such promise. */
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
