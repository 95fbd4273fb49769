/** The few values of a device that tell most, in one line; an old one with its age. */
import type { PropertyItem } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { catalogueQuery } from "../../../data/catalogue.ts";
import { ageOf, timeOf, useNow } from "../../../kit/text/age.tsx";
import { valueWords } from "../../../kit/text/value-words.ts";
import { useApi } from "../../../session/context.tsx";
import { colourWord, cssColour } from "../control/wheel.ts";
import classes from "./devices.module.css";
import { type Telling, tellingOf } from "./telling.ts";

export function TellingValues(props: { readonly items: readonly PropertyItem[]; readonly isLoading: boolean }) {
  const telling = tellingOf(props.items);
  if (telling.length === 0) return <span className={classes.label}>{props.isLoading ? "…" : "none yet"}</span>;
  const several = new Set(telling.map(nameOfTelling)).size < telling.length;
  return (
    <div className={classes.values}>
      {telling.map((each) => (
        <One key={keyOfTelling(each)} telling={each} withIndex={several} />
      ))}
    </div>
  );
}

function itemOf(telling: Telling): PropertyItem {
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
  const { service, index, property, value, modifiedAt } = itemOf(telling);
  const unit = useUnit(service, property);
  const now = useNow();
  const label = `${service}${withIndex ? ` ${index}` : ""}`;
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
  const words = valueWords(value, property, unit);
  return (
    <span className={classes.value} title={`${service}:${index}.${property}`}>
      <span className={classes.label}>{label}</span>
      <bdi>
        {words.length > 60 ? `${words.slice(0, 60)}…` : words}
        {service === "Button" && modifiedAt !== undefined && `, ${ageOf(now - timeOf(modifiedAt))}`}
      </bdi>
    </span>
  );
}

/** The catalogue's; a class of one's own shows its unit on the device's page. */
function useUnit(service: string, property: string): string | undefined {
  const classesKnown = useQuery(catalogueQuery(useApi())).data ?? [];
  return classesKnown.find((each) => each.service === service)?.properties.find((each) => each.property === property)
    ?.unit;
}
