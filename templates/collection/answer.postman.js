// A request has succeeded where its answer holds no error. Notifications get no answer.
pm.test("answered without an error", () => {
  const sent = pm.response.text();
  const { error } = sent === "" ? {} : JSON.parse(sent);
  pm.expect(error, JSON.stringify(error)).to.equal(undefined);
});
