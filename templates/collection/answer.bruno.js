// A request has succeeded where its answer holds no error. Notifications get no answer.
test("answered without an error", () => {
  const { error } = res.getBody() || {};
  expect(error, JSON.stringify(error)).to.equal(undefined);
});
