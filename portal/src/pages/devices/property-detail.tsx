/** The developer's view of a property: its selector, its constraints, its value with all times, and code samples for the page's actions. */
import type { PropertyDescriptor } from "@porchlight/shared/api";
import type { PropertyLimit } from "@porchlight/shared/model";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Age } from "../../kit/text/age.tsx";
import { valueWords } from "../../kit/text/value-words.ts";
import { selectorOf } from "../../live/target.ts";
import { consoleGet, consoleSet, curlRead, curlSet } from "./code-lines.ts";
import { type Property, useDevicePage } from "./device-page-context.tsx";
import classes from "./property-row.module.css";

interface PropertyDetailProps {
  readonly property: Property;
  readonly descriptor: PropertyDescriptor;
  readonly isOnly: boolean;
}

export function PropertyDetail({ property, descriptor, isOnly }: PropertyDetailProps) {
  const { device } = useDevicePage();
  const { target, value, known, isRefreshed } = property;
  const code = { origin: location.origin, target, isOnly, value: value ?? exampleOf(descriptor) };
  const canWrite = descriptor.access.includes("write");
  const isReport = device.type === "virtual" && !canWrite;
  return (
    <div className={classes.detail}>
      <div>
        <span className="mono">{isOnly ? `${target.service}.${target.property}` : selectorOf(target)}</span>{" "}
        <span className={classes.what}>{describe(descriptor)}</span>
      </div>
      <Facts>
        <Fact name="value">
          <span className="mono">{known.value === undefined ? "absent" : JSON.stringify(known.value)}</span>
        </Fact>
        <Fact name="observedAt">{known.observedAt && <Moment at={known.observedAt} />}</Fact>
        <Fact name="modifiedAt">{known.modifiedAt && <Moment at={known.modifiedAt} />}</Fact>
        <Fact name="source">{known.source}</Fact>
        <Fact name="Read from">
          {known.value !== undefined && (isRefreshed ? "the device, for this page" : "the cloud's cache")}
        </Fact>
      </Facts>
      <div className={classes.lines}>
        {descriptor.access.includes("read") && <Line what="Read from the device">{curlRead(code, true)}</Line>}
        {(canWrite || isReport) && (
          <Line what={isReport ? "Report a value, as its sensor would" : "Set to the value shown"}>
            {curlSet({ ...code, report: isReport })}
          </Line>
        )}
        <Line what="With the console">{canWrite ? consoleSet(code) : consoleGet(code)}</Line>
      </div>
      <div className={classes.what}>
        <code className="mono">$TOKEN</code> is a user or server token of yours.
      </div>
    </div>
  );
}

function Moment({ at }: { readonly at: string }) {
  return (
    <>
      <span className="mono">{at}</span> (<Age at={at} />)
    </>
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

/** Words before the number of each limit. */
const LIMIT_WORDS: Readonly<Record<PropertyLimit, string>> = { min: "at least", max: "at most", step: "in steps of" };

/** Describes the property's constraints in a sentence. */
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

/** An example value for a property that has none yet. */
function exampleOf({ type, min, values }: PropertyDescriptor): unknown {
  if (values && values.length > 0) return values[0];
  if (type === "boolean") return true;
  if (type === "string") return "text";
  return type === "json" ? {} : (min ?? 0);
}
