import * as fc from 'fast-check';
import { flaws, named, variants, type Flaw, type Variant } from '../../proof/index.js';
import { settingsOf, type Setting } from '../../proof/selftest/subjects.js';

/** Reference server, by the options with which `startAltered` starts it. */
export interface Server {
  readonly flaws: readonly string[];
  readonly variants: readonly string[];
  readonly animals?: number;
}

/** Returns a server's entries in the registry of flaws. Throws UsageError. */
export const flawsOf = (server: Server): readonly Flaw[] => named('flaw', flaws, server.flaws);
export const variantsOf = (server: Server): readonly Variant[] => named('variant', variants, server.variants);
export const membersOf = (server: Server): readonly (Flaw | Variant)[] => [
  ...variantsOf(server),
  ...flawsOf(server),
];

/** True if two members can be combined: no option is set by both to different values. */
export function areCompatible(one: Flaw | Variant, other: Flaw | Variant): boolean {
  if (one.asOf !== other.asOf) return false;
  const theirs: Readonly<Record<string, unknown>> = { ...other.options, minuteSeconds: undefined };
  return Object.entries(one.options).every(
    ([name, value]) => theirs[name] === undefined || theirs[name] === value,
  );
}

/**
 * Returns the setting for a server with several members in one half: the longest minute of any, and all plans
 * that show one of them. The daily profile runs on its own plans only; on others it takes hours.
 */
export function settingFor(needs: Setting['needs'], server: Server): Setting {
  const settings = membersOf(server).map((member) => settingsOf({ ...member, needs }));
  const daily = settings.find(({ includes }) => includes.includes('day-quota'));
  const { asOf } = settings.find((setting) => setting.asOf !== undefined) ?? {};
  const enterprise = settings.find((setting) => setting.enterprise !== undefined)?.enterprise;
  return {
    needs,
    start: server,
    minuteSeconds: Math.max(...settings.map(({ minuteSeconds }) => minuteSeconds)),
    plans: daily?.plans ?? [...new Set(settings.flatMap(({ plans }) => plans))],
    includes: [...new Set(settings.flatMap(({ includes }) => includes))],
    ...(asOf !== undefined && { asOf }),
    ...(enterprise && { enterprise }),
  };
}

/** Race that only a short minute shows: in a longer one too few requests arrive together. */
export const RACE = 'leaky-bucket-checks-before-it-counts';

/** True if another member lengthens the minute so much that the race does not show. */
export const hidesRace = (server: Server): boolean =>
  membersOf(server).some(
    ({ name, options }) =>
      name === RACE && settingFor('load', server).minuteSeconds > (options.minuteSeconds ?? 0),
  );

/** One or two names; a pair shrinks to one. */
type Names = [one: string | null, other: string | null];

const FLAW = 'flaw ';
const VARIANT = 'variant ';

/** Names a member with its registry, because one name may be in both. */
export const wordOf = (member: Flaw | Variant): string =>
  `${'turns' in member ? FLAW : VARIANT}${member.name}`;

const serverOf = (names: Names): Server => {
  const words = names.filter((word) => word !== null);
  const of = (kind: string) =>
    words.filter((word) => word.startsWith(kind)).map((word) => word.slice(kind.length));
  return { flaws: of(FLAW), variants: of(VARIANT) };
};

const namesOf = (server: unknown): Names => {
  const { flaws, variants } = server as Server;
  const [one = null, other = null, ...more] = [
    ...flaws.map((name) => FLAW + name),
    ...variants.map((name) => VARIANT + name),
  ];
  if (more.length > 0) throw new Error('more than two');
  return [one, other];
};

/** Draws per omitted second name; the self-test judges single members anyway. */
const LEFT_OUT_EVERY = 1000;

/** Draws servers of two members, and shrinks a find to one of them if possible. */
export function pairsOf(
  members: readonly (Flaw | Variant)[],
  fits: (server: Server) => boolean,
): fc.Arbitrary<Server> {
  const name = fc.option(fc.noShrink(fc.constantFrom(...members.map(wordOf))), {
    nil: null,
    freq: LEFT_OUT_EVERY,
  });
  return fc
    .tuple(name, name)
    .map(serverOf, namesOf)
    .filter((server) => {
      const [one, other, ...more] = membersOf(server);
      if (one === undefined || more.length > 0) return false;
      return other === undefined || (one !== other && areCompatible(one, other) && fits(server));
    });
}
