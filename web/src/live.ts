// What a page does that `jouletree serve` shows: it asks that server now and then whether there is something new. A page
// from disk has no address to ask, and asks nobody.

export interface LiveAddresses {
  state: string;
  data: string;
  index: string;
  shown: string;
}

const kEvery = 2000;
const kStateHeader = "JouleTree-State";

export function liveAddresses(): LiveAddresses | null {
  const meta = document.querySelector<HTMLMetaElement>("meta[name=jouletree-live]");
  const { data, index, state } = meta?.dataset ?? {};
  return meta && data && index && state ? { state: meta.content, data, index, shown: state } : null;
}

async function ask(address: string): Promise<Response> {
  const answer = await fetch(address, { cache: "no-store", credentials: "same-origin" });
  if (answer.ok) return answer;
  throw new Error(answer.status === 422 ? "it cannot be read at the moment" : `the server answers ${answer.status}`);
}

/** Calls `show` with new data, and `say` with how it stands. */
export function followNews(addresses: LiveAddresses, show: (data: string) => void, say: (text: string) => void): void {
  let current = addresses.shown;
  const look = async (): Promise<void> => {
    if (!document.hidden) {
      try {
        const { state, going_on } = (await (await ask(addresses.state)).json()) as { state: string; going_on: boolean };
        if (state !== current) {
          const answer = await ask(addresses.data);
          show(await answer.text());
          current = answer.headers.get(kStateHeader) ?? state;
        }
        say(going_on ? "live: going on" : "live");
      } catch (error) {
        say(error instanceof TypeError ? "the server does not answer; trying again" : `not the newest: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    setTimeout(() => void look(), kEvery);
  };
  say("live");
  setTimeout(() => void look(), kEvery);
}
