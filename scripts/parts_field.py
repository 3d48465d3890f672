"""A conditional random field over the words of a record, as PartModel has it."""
import numpy as np
from scipy.optimize import minimize

PENALTY = 6.0  # of the squares of the weights
WAYS = 20  # as PartModel.most


class Batch:
    """The words of many records, the first of all before the second of all, the longest records first."""

    def __init__(self, samples):
        self.order = sorted(range(len(samples)), key=lambda i: -len(samples[i][0]))
        samples = [samples[i] for i in self.order]
        lengths = [len(s[0]) for s in samples]
        self.counts = [sum(n > t for n in lengths) for t in range(lengths[0])]
        self.starts = np.concatenate([[0], np.cumsum(self.counts)])
        rows = [(samples[i], t) for t in range(lengths[0]) for i in range(self.counts[t])]
        self.x = np.array([s[0][t] for s, t in rows])
        self.z = np.array([s[1][t] for s, t in rows])
        self.mask = np.array([np.where(s[2][t], 0, -1e4) for s, t in rows])
        self.weights = np.array([s[3] for s, _ in rows])
        self.last = np.array([self.starts[n - 1] + i for i, n in enumerate(lengths)])
        self.records = np.array([s[3] for s in samples])

    def expect(self, scores, moves):
        """The logarithm of the sum over all ways, and how likely each role and each move is (forward and backward, scaled)."""
        most = scores.max(1, keepdims=True)
        emitted, moved = np.exp(scores - most), np.exp(moves)
        forward, backward, steps, sums = emitted.copy(), np.ones_like(scores), np.zeros_like(moves), np.zeros(len(scores))
        totals = np.zeros(len(self.records))
        for t, n in enumerate(self.counts):
            b = self.starts[t]
            if t:
                a = self.starts[t - 1]
                forward[b:b + n] *= np.einsum("ni,nij->nj", forward[a:a + n], moved[b:b + n])
            sums[b:b + n] = forward[b:b + n].sum(1)
            forward[b:b + n] /= sums[b:b + n, None]
            totals[:n] += np.log(sums[b:b + n]) + most[b:b + n, 0]
        for t in reversed(range(1, len(self.counts))):
            a, b, n = self.starts[t - 1], self.starts[t], self.counts[t]
            after = emitted[b:b + n] * backward[b:b + n] / sums[b:b + n, None]
            backward[a:a + n] = np.einsum("nij,nj->ni", moved[b:b + n], after)
            steps[b:b + n] = forward[a:a + n][:, :, None] * moved[b:b + n] * after[:, None, :]
        return totals, forward * backward, steps


def log_sum(values, axis):
    if axis == 0:
        return np.logaddexp.reduce(values, 0)
    return np.logaddexp.reduce(values, axis)


class Field:
    """A conditional random field; where a word may have several roles, any of them is right."""

    def __init__(self, samples, size, start=None):
        batch, count = Batch(samples), 3 * size[0]

        def loss(theta):
            w, q = theta[:count].reshape(-1, 3), theta[count:].reshape(-1, 9)
            scores, moves = batch.x @ w, (batch.z @ q).reshape(-1, 3, 3)
            all_, roles_, moves_ = batch.expect(scores, moves)
            good, right_, steps_ = batch.expect(scores + batch.mask, moves)
            value = (batch.records * (all_ - good)).sum() + PENALTY / 2 * (theta * theta).sum()
            gradient = np.concatenate([
                (batch.x.T @ ((roles_ - right_) * batch.weights[:, None])).ravel(),
                (batch.z.T @ ((moves_ - steps_).reshape(-1, 9) * batch.weights[:, None])).ravel()])
            return value, gradient + PENALTY * theta

        theta = minimize(loss, np.zeros(count + 9 * size[1]) if start is None else start, jac=True, method="L-BFGS-B", options={"maxiter": 150}).x
        self.theta, self.words, self.steps = theta, theta[:count].reshape(-1, 3), theta[count:].reshape(-1, 3, 3)

    def ways(self, record):
        """The likeliest ways, the best first, each with the logarithm of its probability among them."""
        scores, moves = record["x"] @ self.words, np.einsum("te,eij->tij", record["z"], self.steps)
        scores[record["marked"]] = (-100, -100, 0)
        paths = [[((role,), scores[0][role])] for role in range(3)]
        for t in range(1, len(scores)):
            paths = [
                sorted(
                    ((path + (role,), value + moves[t][before][role] + scores[t][role]) for before in range(3) for path, value in paths[before]),
                    key=lambda way: -way[1])[:WAYS] for role in range(3)]
        best = sorted((way for ways in paths for way in ways), key=lambda way: -way[1])[:WAYS]
        total = log_sum(np.array([value for _, value in best]), 0)
        return [(path, value - total) for path, value in best]
