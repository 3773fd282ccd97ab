import { assemble, defineStudy, privatize, type Release } from 'private-moments';
import { nextTask } from 'private-moments/internal';
import { PAIRS, type Learned, type Round } from './consortium-protocol.js';
import { triangleOf, type SampleSites, type Triangle } from './sample-sites.js';

/** Draws behind an interval: few, as it is drawn again at each step of the slider. */
const DRAWS = 100;

/** Acts as all sites and as the analyst, with fresh noise each time. Only the latest question is answered. */
export class Rounds {
  readonly #sites: SampleSites;
  #control = new AbortController();

  constructor(sites: SampleSites) {
    this.#sites = sites;
  }

  /**
   * @param arrivals whether to learn from one site, two, and so on, not only from all
   * @returns undefined if another round was begun meanwhile
   */
  async make(epsilon: number, arrivals: boolean): Promise<Round | undefined> {
    this.#control.abort();
    const control = new AbortController();
    this.#control = control;
    try {
      return await this.#make(epsilon, arrivals, control.signal);
    } catch (error) {
      if (control.signal.aborted) return undefined;
      throw error;
    }
  }

  async #make(epsilon: number, arrivals: boolean, signal: AbortSignal): Promise<Round> {
    const { definition, files } = this.#sites;
    const { delta } = definition.privacy;
    const study = defineStudy({ ...definition, privacy: { epsilon, delta } });
    const learn = async (releases: readonly Release[]): Promise<Learned> => {
      const moments = await assemble(study, [...releases]);
      const result = moments.cca({ components: PAIRS, level: 0.95, draws: DRAWS });
      // A newer question may have come meanwhile.
      await nextTask();
      signal.throwIfAborted();
      return {
        sum: triangleOf(moments.covariance.values, moments.columns.length),
        pairs: result.correlations.map(
          ({ value, low = value, high = value, noiseFloor, belowNoiseFloor }) => ({
            ...{ value, low, high, noiseFloor },
            isClear: !belowNoiseFloor && low > 0,
          }),
        ),
      };
    };
    const releases: Release[] = [];
    const noisy: Triangle[] = [];
    for (const file of files) {
      const release = await privatize(study, file, { signal });
      const { covariance, columns } = await assemble(study, [release]);
      releases.push(release);
      noisy.push(triangleOf(covariance.values, columns.length));
    }
    const first = arrivals ? 1 : releases.length;
    const learned = new Map<number, Learned>();
    for (let sites = first; sites <= releases.length; sites++) {
      learned.set(sites, await learn(releases.slice(0, sites)));
    }
    const texts = await Promise.all(releases.map((release) => release.toBlob().text()));
    signal.throwIfAborted();
    const [{ guarantee } = {}] = releases;
    if (guarantee === undefined) throw new TypeError('a sample without sites');
    return {
      ...{ epsilon, guarantee, noisy, learned },
      text: texts[0] ?? '',
      bytes: Math.max(...texts.map((text) => text.length)),
    };
  }
}
