"""The verl recipe as far as it goes without a GPU: all of verl that comes before the training."""

import asyncio

import pytest

pytest.importorskip("verl")

import torch  # noqa: E402
from documented import SCHEMES as SCHEME_NAMES  # noqa: E402
from documented import launch  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402
from test_verl import ROWS, answered, check  # noqa: E402
from tiny_model import make_tiny_model  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402
from verl.trainer.config import AlgoConfig  # noqa: E402
from verl.trainer.ppo.core_algos import agg_loss, get_adv_estimator_fn  # noqa: E402
from verl.trainer.ppo.reward import load_reward_manager  # noqa: E402
from verl.trainer.ppo.utils import need_critic, need_reference_policy  # noqa: E402
from verl.utils.config import omega_conf_to_dataclass, validate_config  # noqa: E402
from verl.utils.dataset.rl_dataset import RLHFDataset  # noqa: E402

from steerbench.scorer import SCHEMES, group_advantages  # noqa: E402


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return make_tiny_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def configs(model, tmp_path_factory):
    """What verl's entry point makes of the documented command, by scheme; it prints, and ends."""
    folders = {scheme: tmp_path_factory.mktemp(scheme) for scheme in SCHEME_NAMES}
    printed = launch("verl_grpo.yaml", folders, {"MODEL": model}, ["--cfg", "job"])
    texts = {scheme: text[text.index("actor_rollout_ref:") :] for scheme, text in printed.items()}
    return {scheme: (folders[scheme], OmegaConf.create(text)) for scheme, text in texts.items()}


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_verl_finds_nothing_wrong_with_the_configuration(configs, scheme):
    _, config = configs[scheme]
    assert not need_reference_policy(config) and not need_critic(config)
    validate_config(config, use_reference_policy=False, use_critic=False)
    algorithm = omega_conf_to_dataclass(config.algorithm)
    assert isinstance(algorithm, AlgoConfig) and algorithm.filter_groups.enable
    assert config.actor_rollout_ref.rollout.n == 8


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_the_reward_loop_pays_the_scheme_of_the_command_line(configs, scheme, model, cli_score):
    _, config = configs[scheme]
    tokenizer = AutoTokenizer.from_pretrained(model)

    async def run():
        loaded = load_reward_manager(config, tokenizer)
        rollouts = [answered(tokenizer, gold, answer) for gold, answer in ROWS]
        return await asyncio.gather(*map(loaded.run_single, rollouts))

    asked = [{"gold": gold, "answer": answer} for gold, answer in ROWS]
    check(asyncio.run(run()), cli_score(asked, scheme))


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_verls_advantages_are_ours(configs, scheme):
    _, config = configs[scheme]
    outcomes = ["correct", "wrong", "premature_act", "unreadable", "wrong", "wrong"] + ["wrong"] * 2
    outcomes += ["wrong", "premature_act"] * 4
    lengths = torch.arange(1, 17)
    mask = (torch.arange(16) < lengths.unsqueeze(1)).float()
    rewards = torch.zeros(16, 16)
    for row, outcome in enumerate(outcomes):
        rewards[row, row] = SCHEMES[scheme].prices[outcome]
    advantages, _ = get_adv_estimator_fn(config.algorithm.adv_estimator)(
        token_level_rewards=rewards,
        response_mask=mask,
        index=["first"] * 8 + ["second"] * 8,
        norm_adv_by_std_in_grpo=config.algorithm.norm_adv_by_std_in_grpo,
        config=omega_conf_to_dataclass(config.algorithm),
    )
    groups = [group_advantages(outcomes[k : k + 8], SCHEMES[scheme]) for k in (0, 8)]
    assert [group.skip for group in groups] == [
        None,
        "equal_price" if scheme == "symmetric" else None,
    ]
    expected = [each for group in groups for each in group.advantages or [0.0] * 8]
    # Of each answer, the advantage stands at every token.
    assert (advantages.sum(1) / lengths).tolist() == pytest.approx(expected, abs=1e-6)
    loss = agg_loss(-advantages, mask, config.actor_rollout_ref.actor.loss_agg_mode)
    weighed = -sum(each * n for each, n in zip(expected, lengths.tolist()))
    assert loss.item() == pytest.approx(weighed / lengths.sum().item(), abs=1e-6)


def test_every_exported_prompt_fits(configs, model):
    folder, config = configs["symmetric"]
    tokenizer = AutoTokenizer.from_pretrained(model)
    # The tiny tokenizer needs four times the tokens of a real one.
    data = OmegaConf.merge(config.data, {"max_prompt_length": 8192})
    for name, rows in (("train_files", 75), ("val_files", 15)):
        assert len(RLHFDataset(str(folder / data[name]), tokenizer, data)) == rows
