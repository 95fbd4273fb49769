/** What several devices' descriptions of one property have in common, so that a value is offered which all of them take. Pure. */
import type { PropertyDescriptor } from "@porchlight/shared/api";

/**
 * As the first describes it, within the limits of all. Where their limits exclude each other, those of the first stand: no value is right for all.
 * Its `value` is there when all have the same.
 * @param all at least one is first
 */
export function commonOf(first: PropertyDescriptor, rest: readonly PropertyDescriptor[]): PropertyDescriptor {
  const all = [first, ...rest.filter(({ type }) => type === first.type)];
  const { min, max, step, values, value, ...own } = first;
  const isSame = [...all, ...rest].every((each) => JSON.stringify(each.value) === JSON.stringify(value));
  const range = rangeOf(all);
  return {
    ...own,
    ...(range.isWhole ? defined({ min: range.min, max: range.max }) : defined({ min, max })),
    ...defined({ step: all.every((each) => each.step === step) ? step : undefined }),
    ...defined({ values: valuesOf(all) ?? values }),
    ...defined({ value: isSame ? value : undefined }),
  };
}

function rangeOf(all: readonly PropertyDescriptor[]) {
  const [least, most] = [all.flatMap(({ min }) => min ?? []), all.flatMap(({ max }) => max ?? [])];
  const min = least.length > 0 ? Math.max(...least) : undefined;
  const max = most.length > 0 ? Math.min(...most) : undefined;
  return { min, max, isWhole: min === undefined || max === undefined || min < max };
}

/** What all of them list; undefined when none lists any, or nothing is on all lists. */
function valuesOf(all: readonly PropertyDescriptor[]): PropertyDescriptor["values"] {
  const lists = all.flatMap(({ values }) => (values && values.length > 0 ? [values] : []));
  const [first, ...rest] = lists;
  const common = first?.filter((each) => rest.every((list) => list.some((other) => other === each)));
  return common && common.length > 0 ? common : undefined;
}

/** Without what is undefined: a limit that is not there is not named. */
function defined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, each]) => each !== undefined)) as Partial<T>;
}
