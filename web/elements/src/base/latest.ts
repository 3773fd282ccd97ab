/**
 * For a worker: answers one question at a time, then the latest one; questions between them are dropped.
 * @param answer never rejects, and checks `isLatest` after each turn of the event loop: false means stop
 */
export function latest<Question>(
  answer: (question: Question, isLatest: () => boolean) => Promise<void>,
): (question: Question) => void {
  let latestQuestion: Question | undefined;
  let isWorking = false;
  const work = async (): Promise<void> => {
    isWorking = true;
    while (latestQuestion !== undefined) {
      const question = latestQuestion;
      await answer(question, () => question === latestQuestion);
      if (question === latestQuestion) latestQuestion = undefined;
    }
    isWorking = false;
  };
  return (question) => {
    latestQuestion = question;
    if (!isWorking) void work();
  };
}
