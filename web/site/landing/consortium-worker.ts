/** The live consortium's worker: acts as ten sites and an analyst, so that the page's own thread is free to draw. */
import { load } from 'private-moments';
import { closeNetwork, openPort, Peer, type Message } from 'private-moments/internal';
import { loadAnalysis } from 'private-moments/internal/core';
import type { ConsortiumCalls } from './consortium-protocol.js';
import { Rounds } from './rounds.js';
import { fetchSites } from './sample-sites.js';

/** It is a worker itself, and starts no others. */
const loaded = load({ worker: false });
let rounds: Promise<Rounds> | undefined;

const calls: ConsortiumCalls = {
  async open(folder) {
    const opened = fetchSites(folder);
    rounds = opened.then((sites) => new Rounds(sites));
    const { rows, exact } = await opened;
    return { rows, exact };
  },
  async round(epsilon, arrivals) {
    const [sites] = await Promise.all([rounds, loaded, loadAnalysis()]);
    // All is there.
    closeNetwork();
    return sites?.make(epsilon, arrivals);
  },
};

const port = openPort<Message, Message>();
if (port !== undefined) new Peer(port).offer({ ...calls });
