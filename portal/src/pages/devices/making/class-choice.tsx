/** The standard classes, each with what it has and how often it must be there. */
import { ActionIcon } from "@mantine/core";
import type { ServiceClass } from "@porchlight/shared/api";
import { Icon } from "../../../kit/display/icon.tsx";
import classes from "./class-choice.module.css";

export interface ClassChoiceProps {
  readonly classes: readonly ServiceClass[];
  /** One entry for each instance. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function ClassChoice({ classes: known, chosen, onChange }: ClassChoiceProps) {
  const add = (service: string) => onChange([...chosen, service]);
  const take = (service: string) => {
    const at = chosen.lastIndexOf(service);
    onChange(chosen.filter((_, place) => place !== at));
  };
  return (
    <ul className={classes.grid}>
      {known.map(({ service, properties }) => {
        const count = chosen.filter((each) => each === service).length;
        return (
          <li key={service} className={classes.class} data-chosen={count > 0}>
            <div className={classes.text}>
              <strong>{service}</strong>
              <span className={classes.has}>{properties.map(({ property }) => property).join(", ")}</span>
            </div>
            <ActionIcon
              variant="default"
              onClick={() => take(service)}
              disabled={count === 0}
              aria-label={`Remove one ${service}`}
            >
              −
            </ActionIcon>
            <output className={classes.count} aria-label={`Number of ${service}`}>
              {count}
            </output>
            <ActionIcon variant="default" onClick={() => add(service)} aria-label={`Add one ${service}`}>
              <Icon name="plus" size={14} />
            </ActionIcon>
          </li>
        );
      })}
    </ul>
  );
}
