// How the page of a game is told what happens, and says what the person does: by its server, or by the page around it.
// @ts-check

/** Whether another page of this site is around this one, with the referee in it. A server's page is in none. */
const isFramed = window.parent !== window;

/** What waits for the end of the reply that was sent. @type {(problem: string) => void} */
let taken = () => {};

/**
 * Has `hear` hear every event, and `connected` whether there is a connection. Returns what ends that.
 * @param {(event: any) => void} hear
 * @param {(is: boolean) => void} connected
 */
export function listen(hear, connected) {
  if (isFramed) {
    window.addEventListener('message', ({ source, data }) => {
      if (source !== window.parent) return;
      if (data.type === 'taken') taken(data.why);
      else hear(data);
    });
    window.parent.postMessage({ ready: true }, window.origin);
    return () => {};
  }
  const source = new EventSource('events');
  source.addEventListener('message', (event) => hear(JSON.parse(event.data)));
  source.addEventListener('open', () => connected(true));
  source.addEventListener('error', () => connected(false));
  return () => source.close();
}

/**
 * Sends a reply to the question with this number. Promises why it was not taken; nothing if it was.
 * @param {number} turn
 * @param {string} reply
 * @returns {Promise<string>}
 */
export async function send(turn, reply) {
  if (isFramed) {
    window.parent.postMessage({ turn, reply }, window.origin);
    return new Promise((resolve) => (taken = resolve));
  }
  const body = JSON.stringify({ turn, reply });
  try {
    const response = await fetch('say', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return response.ok ? '' : await response.text();
  } catch {
    return 'The referee cannot be reached.';
  }
}
