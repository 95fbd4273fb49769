/** More about a property: its history in this session, what it can be, and lines of code that do what the page does. */
import type { PropertyDescriptor } from "@porchlight/shared/api";
import type { PropertyLimit } from "@porchlight/shared/model";
import { CodeBlock } from "../../../kit/display/id.tsx";
import { clockOf } from "../../../kit/text/age.tsx";
import { valueWords } from "../../../kit/text/value-words.ts";
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

/** What comes before the number of each limit. */
const LIMIT_WORDS: Readonly<Record<PropertyLimit, string>> = { min: "at least", max: "at most", step: "in steps of" };

/** What it can be, in a sentence. */
function describe({ property, type, unit, values, access, ...rest }: PropertyDescriptor): string {
  const words = (value: unknown) => valueWords(value, property, unit);
  const limits: Readonly<Record<string, unknown>> = rest;
  const range = [
    type,
    ...(values ? [`one of ${values.map(words).join(", ")}`] : []),
    ...Object.entries(LIMIT_WORDS).flatMap(([name, before]) =>
      limits[name] === undefined ? [] : [`${before} ${words(limits[name])}`],
    ),
  ];
  return `${range.join(", ")}; ${access.join(", ")}.`;
}

/** A value that it could have, where it has none yet. */
function exampleOf({ type, min, values }: PropertyDescriptor): unknown {
  if (values && values.length > 0) return values[0];
  if (type === "boolean") return true;
  if (type === "string") return "text";
  return type === "json" ? {} : (min ?? 0);
}
