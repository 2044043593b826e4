import * as fc from 'fast-check';
import { flaws, named, variants, type Flaw, type Variant } from '../../reference/index.js';
import { settingsOf, type Setting } from '../../selftest/subjects.js';

/** A reference server by what it is started with, as `startReference` takes it. */
export interface Server {
  readonly flaws: readonly string[];
  readonly variants: readonly string[];
  readonly animals?: number;
}

/** The entries of the registries that a server is made of. Throws UnknownNameError. */
export const flawsOf = (server: Server): readonly Flaw[] => named('flaw', flaws, server.flaws);
export const variantsOf = (server: Server): readonly Variant[] => named('variant', variants, server.variants);
export const membersOf = (server: Server): readonly (Flaw | Variant)[] => [...variantsOf(server), ...flawsOf(server)];

/** Whether two members can be had together: an option that both set to different values leaves one of them without effect. */
export function areCompatible(one: Flaw | Variant, other: Flaw | Variant): boolean {
  if (one.asOf !== other.asOf) return false;
  const theirs: Readonly<Record<string, unknown>> = { ...other.options, minuteSeconds: undefined };
  return Object.entries(one.options).every(([name, value]) => theirs[name] === undefined || theirs[name] === value);
}

/**
 * How a server with several members is judged in one half: with the longest minute that one of them needs, and with all
 * plans that show one of them, but for the profile of the day, which on other plans than its own takes hours.
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

/** One or two names, of which the second can be left out: how a pair shrinks. */
type Names = [one: string | null, other: string | null];

const FLAW = 'flaw ';
const VARIANT = 'variant ';

/** A member as a word that says of which registry it is: a name may stand in both. */
export const wordOf = (member: Flaw | Variant): string => `${'turns' in member ? FLAW : VARIANT}${member.name}`;

const serverOf = (names: Names): Server => {
  const words = names.filter((word) => word !== null);
  const of = (kind: string) => words.filter((word) => word.startsWith(kind)).map((word) => word.slice(kind.length));
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

/** A second name is left out once in so many draws; that one alone is judged anyway by the self-test. */
const LEFT_OUT_EVERY = 1000;

/** Servers of two members; what was got wrong is shrunk to one of them where that is enough. */
export function pairsOf(members: readonly (Flaw | Variant)[], fits: (server: Server) => boolean): fc.Arbitrary<Server> {
  const name = fc.option(fc.noShrink(fc.constantFrom(...members.map(wordOf))), { nil: null, freq: LEFT_OUT_EVERY });
  return fc
    .tuple(name, name)
    .map(serverOf, namesOf)
    .filter((server) => {
      const [one, other, ...more] = membersOf(server);
      if (one === undefined || more.length > 0) return false;
      return other === undefined || (one !== other && areCompatible(one, other) && fits(server));
    });
}
