/**
 * A pet store without a framework: the interface's behaviour over text and plain values. The servers in this
 * folder run it on Express, Fastify and Hono.
 */

const STATUSES = ['available', 'pending', 'sold'];

/** Part 8: requests a minute of a Business key; clients without a key share as many. */
const PER_MINUTE = 1000;
const MINUTE_MS = 60_000;

const answer = (status, body) => ({ status, body: JSON.stringify(body) });
const refuse = (status, code, message) => answer(status, { code, message, status });

/** Creates a store with one key. */
export function createPetStore(apiKey) {
  const pets = Array.from({ length: 48 }, (_, at) => ({
    id: at + 1,
    name: `animal ${at + 1}`,
    categoryId: (at % 5) + 1,
    status: STATUSES[at % 3],
  }));
  const windows = new Map();

  /** Counts a request; `refusal` is null if the request is allowed. */
  function admit(authorization) {
    const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    const now = Date.now();
    const name = key === apiKey ? 'key' : 'nobody';
    const running = windows.get(name);
    const window = running && running.endsAt > now ? running : { used: 0, endsAt: now + MINUTE_MS };
    windows.set(name, window);
    const isOver = window.used >= PER_MINUTE;
    if (!isOver) window.used += 1;
    const headers = {
      'Content-Type': 'application/json',
      'X-RateLimit-Limit': String(PER_MINUTE),
      'X-RateLimit-Remaining': String(PER_MINUTE - window.used),
      'X-RateLimit-Reset': String(Math.ceil(window.endsAt / 1000)),
    };
    if (isOver) {
      headers['Retry-After'] = String(Math.ceil((window.endsAt - now) / 1000));
      return { headers, refusal: refuse(429, 'rate-limited', 'The limit of your plan is used up.') };
    }
    if (name === 'key') return { headers, refusal: null };
    headers['WWW-Authenticate'] = 'Bearer';
    return { headers, refusal: refuse(401, 'unauthorized', 'The API key is missing or invalid.') };
  }

  function list({ limit = '20', status }) {
    const count = Number(limit);
    if (!Number.isInteger(count) || count < 1 || count > 100)
      return refuse(400, 'bad-limit', 'limit is a whole number from 1 to 100.');
    if (status !== undefined && !STATUSES.includes(status))
      return refuse(400, 'bad-status', 'There is no such status.');
    return answer(200, pets.filter((pet) => status === undefined || pet.status === status).slice(0, count));
  }

  function add(text) {
    let given;
    try {
      given = JSON.parse(text);
    } catch {
      return refuse(400, 'bad-json', 'The body is no JSON.');
    }
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return refuse(400, 'bad-pet', 'The body is no animal.');
    const { name, categoryId, status } = given;
    if (typeof name !== 'string') return refuse(400, 'bad-name', 'name is a text.');
    // Beyond safe integers, JSON.parse changes digits.
    if (!Number.isSafeInteger(categoryId)) return refuse(400, 'bad-category', 'There is no such category.');
    if (status !== undefined && !STATUSES.includes(status))
      return refuse(400, 'bad-status', 'There is no such status.');
    const pet = { id: pets.length + 1, name, categoryId, ...(status !== undefined && { status }) };
    pets.push(pet);
    return answer(201, pet);
  }

  function find(id) {
    const pet = pets.find((one) => String(one.id) === id);
    return pet ? answer(200, pet) : refuse(404, 'not-found', 'There is no such animal.');
  }

  return { admit, list, add, find };
}
