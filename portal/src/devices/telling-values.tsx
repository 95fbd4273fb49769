/** The most informative values of a device in one line; an occurrence has its age. */
import type { ServiceDescriptor } from "@porchlight/shared/api";
import { ageOf, timeOf, useNow } from "../kit/text/age.tsx";
import { cut } from "../kit/text/names.ts";
import { valueWords } from "../kit/text/value-words.ts";
import { type Telling, type TellingValue, tellingOf, valuesOf } from "./telling.ts";
import classes from "./telling-values.module.css";
import { useTitles } from "./use-titles.ts";
import { colourWord, cssColour } from "./wheel.ts";

interface TellingValuesProps {
  /** Undefined while they load. */
  readonly services: readonly ServiceDescriptor[] | undefined;
  /** `SERVICE.PROPERTY` of the values that are already shown beside it. */
  readonly without?: ReadonlySet<string>;
  readonly most?: number;
}

export function TellingValues({ services, without, most }: TellingValuesProps) {
  if (services === undefined) return <span className={classes.label}>…</span>;
  const values = valuesOf(services).filter(({ service, property }) => !without?.has(`${service}.${property}`));
  const telling = tellingOf(values, most);
  if (telling.length === 0) return without === undefined ? <span className={classes.label}>no value yet</span> : null;
  const several = new Set(telling.map(nameOfTelling)).size < telling.length;
  return (
    <div className={classes.values}>
      {telling.map((each) => (
        <One key={keyOfTelling(each)} telling={each} withIndex={several} />
      ))}
    </div>
  );
}

function itemOf(telling: Telling): TellingValue {
  return telling.kind === "colour" ? telling.hue : telling.item;
}

function keyOfTelling(telling: Telling): string {
  const { service, index, property } = itemOf(telling);
  return `${service}:${index}.${property}`;
}

function nameOfTelling(telling: Telling): string {
  const { service, property } = itemOf(telling);
  return `${service}.${property}`;
}

function One({ telling, withIndex }: { readonly telling: Telling; readonly withIndex: boolean }) {
  const { service, index, property, value, unit, modifiedAt } = itemOf(telling);
  const titles = useTitles();
  const now = useNow();
  if (telling.kind === "colour") {
    const colour = { hue: Number(telling.hue.value), saturation: Number(telling.saturation.value) };
    return (
      <span className={classes.value}>
        <svg className={classes.swatch} viewBox="0 0 1 1" aria-hidden="true">
          <rect width="1" height="1" fill={cssColour(colour)} />
        </svg>
        <span>{colourWord(colour)}</span>
      </span>
    );
  }
  return (
    <span className={classes.value} title={`${service}:${index}.${property}`}>
      <span className={classes.label}>
        {titles.ofProperty(service, property)}
        {withIndex && ` ${index}`}
      </span>
      <bdi>
        {cut(valueWords(value, property, unit), 60)}
        {service === "Button" && modifiedAt !== undefined && `, ${ageOf(now - timeOf(modifiedAt))}`}
      </bdi>
    </span>
  );
}
