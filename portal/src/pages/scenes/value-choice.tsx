/** Checkboxes to leave single values of the chosen devices out of a new scene. */
import { Checkbox } from "@mantine/core";
import type { SceneItem } from "@porchlight/shared/api";
import { useTitles } from "../../devices/use-titles.ts";
import { NameText } from "../../kit/text/name.tsx";
import { cut } from "../../kit/text/names.ts";
import { valueWords } from "../../kit/text/value-words.ts";
import { nameIn } from "../zones/forest.ts";
import classes from "./edit.module.css";
import { ItemFault, itemTitles } from "./items-editor.tsx";
import type { SceneHome } from "./scene-home.ts";

/** Key of an item in a new scene, which never sets a property twice. */
export function itemKey({ target, service }: Pick<SceneItem, "target" | "service">): string {
  return `${target} ${service}`;
}

interface ValueChoiceProps {
  readonly home: SceneHome;
  readonly items: readonly SceneItem[];
  /** Keys of the items that are left out. */
  readonly without: ReadonlySet<string>;
  readonly onChange: (without: ReadonlySet<string>) => void;
  /** The error of the last attempt. */
  readonly error: unknown;
}

export function ValueChoice({ home, items, without, onChange, error }: ValueChoiceProps) {
  const titles = useTitles();
  const titleOf = itemTitles(home, titles);
  const sent = items.filter((item) => !without.has(itemKey(item)));
  return (
    <div className={classes.rooms}>
      {[...Map.groupBy(items, ({ target }) => target)].map(([target, own]) => (
        <fieldset key={target} className={classes.room}>
          <legend className={classes.zone}>
            <NameText text={nameIn(home.forest, target)} />
          </legend>
          {own.map((item) => {
            const { title, property, unit } = titleOf(item);
            const key = itemKey(item);
            return (
              <div key={key}>
                <Checkbox
                  label={
                    <>
                      <bdi>{title}</bdi>: <bdi>{cut(valueWords(item.value, property, unit), 80)}</bdi>
                    </>
                  }
                  checked={!without.has(key)}
                  onChange={(event) => {
                    const next = new Set(without);
                    event.currentTarget.checked ? next.delete(key) : next.add(key);
                    onChange(next);
                  }}
                />
                <ItemFault error={error} at={sent.indexOf(item)} />
              </div>
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}
