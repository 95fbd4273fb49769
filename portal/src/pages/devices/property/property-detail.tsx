/** More about a property: its history in this session, what it can be, and lines of code that do what the page does. */
import type { PropertyDescriptor } from "@porchlight/shared/api";
import { clockOf } from "../../../kit/age.tsx";
import { CodeBlock } from "../../../kit/id.tsx";
import { valueWords } from "../../../kit/value-words.ts";
import { type Property, useDevicePage } from "../device/device-page-context.tsx";
import { consoleGet, consoleSet, curlRead, curlSet } from "./code-lines.ts";
import { HistoryChart } from "./history-chart.tsx";
import classes from "./property-row.module.css";

export interface PropertyDetailProps {
  readonly property: Property;
  readonly descriptor: PropertyDescriptor;
  readonly isOnly: boolean;
  readonly name: string;
}

export function PropertyDetail({ property, descriptor, isOnly, name }: PropertyDetailProps) {
  const { device } = useDevicePage();
  const { target, value, known } = property;
  const code = { origin: location.origin, target, isOnly, value: value ?? exampleOf(descriptor) };
  const canWrite = descriptor.access.includes("write");
  const isReport = device.type === "virtual" && !canWrite;
  return (
    <div className={classes.detail}>
      <HistoryChart property={property} descriptor={descriptor} name={name} />
      <div className={classes.what}>
        {describe(descriptor)}
        {known.modifiedAt && ` Changed at ${clockOf(known.modifiedAt)}.`}
        {known.observedAt && ` Observed at ${clockOf(known.observedAt)}.`}
      </div>
      <div className={classes.lines}>
        {descriptor.access.includes("read") && <Line what="Read, from the device itself">{curlRead(code, true)}</Line>}
        {(canWrite || isReport) && (
          <Line what={isReport ? "Report, as its own sensor would" : "Set, to what is shown"}>
            {curlSet({ ...code, report: isReport })}
          </Line>
        )}
        <Line what="In the console">{canWrite ? consoleSet(code) : consoleGet(code)}</Line>
      </div>
      <div className={classes.what}>
        <code className="mono">$TOKEN</code> is a user or server token of yours.
      </div>
    </div>
  );
}

function Line({ what, children }: { readonly what: string; readonly children: string }) {
  return (
    <div>
      <span className={classes.what}>{what}</span>
      <CodeBlock code={children} label={what} />
    </div>
  );
}

/** What it can be, in a sentence. */
function describe({ property, type, unit, min, max, step, values, access }: PropertyDescriptor): string {
  const words = (value: unknown) => valueWords(value, property, unit);
  const range = [
    values && `one of ${values.map(words).join(", ")}`,
    min !== undefined && `at least ${words(min)}`,
    max !== undefined && `at most ${words(max)}`,
    step !== undefined && `in steps of ${words(step)}`,
  ].filter((each) => typeof each === "string");
  return `${[type, ...range].join(", ")}; ${access.join(", ")}.`;
}

/** A value that it could have, where it has none yet. */
function exampleOf({ type, min, values }: PropertyDescriptor): unknown {
  if (values && values.length > 0) return values[0];
  if (type === "boolean") return true;
  if (type === "string") return "text";
  return type === "json" ? {} : (min ?? 0);
}
