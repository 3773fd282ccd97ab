/**
 * For a worker: answers one question at a time, and the newest next; what was asked between is dropped.
 * @param answer never rejects, and looks at `isNewest` now and then, after a turn: false means stop
 */
export function newest<Question>(
  answer: (question: Question, isNewest: () => boolean) => Promise<void>,
): (question: Question) => void {
  let asked: Question | undefined;
  let isWorking = false;
  const work = async (): Promise<void> => {
    isWorking = true;
    while (asked !== undefined) {
      const question = asked;
      await answer(question, () => question === asked);
      if (question === asked) asked = undefined;
    }
    isWorking = false;
  };
  return (question) => {
    asked = question;
    if (!isWorking) void work();
  };
}
